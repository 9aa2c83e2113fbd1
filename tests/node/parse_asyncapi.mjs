// Prints the diagnostics of an AsyncAPI file as JSON: node parse_asyncapi.mjs FILE
import { readFile } from "node:fs/promises";
import { Parser } from "@asyncapi/parser";

const { diagnostics } = await new Parser().parse(await readFile(process.argv[2], "utf8"));
const severities = ["error", "warning", "information", "hint"];
console.log(JSON.stringify(diagnostics.map(({ severity, code, message, path }) => ({
  severity: severities[severity], code, message, path: path.join("/"),
}))));
