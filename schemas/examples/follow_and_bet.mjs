// Plays one round from outside: node follow_and_bet.mjs REDIS_URL PIT TABLE (needs nothing but the package redis).
import { createHash, randomUUID } from "node:crypto";
import { createClient } from "redis";
const [url, pit, table] = process.argv.slice(2);
const server = await createClient({ url }).connect();
const heads = ["cards", "bets"].map((it) => ({ key: `baccarat:{${pit}}:${it}`, id: "0-0", chain: "0".repeat(64) }));
const chained = ["source", "type", "subject", "time", "causation", "sequence", "data"];

async function follow(accepts, wait = { BLOCK: 60_000 }) { // behind trimming the first chain is taken as given
  for (let replies; (replies = await server.xRead(heads, { COUNT: 1000, ...wait })); )
    for (const { name, messages } of replies) for (const { id, message: fact } of messages) {
      const head = heads.find(({ key }) => key === name);
      const text = head.chain + chained.map((field) => `${Buffer.byteLength(fact[field])}:${fact[field]}`).join("");
      const follows = createHash("sha256").update(text).digest("hex") === fact.chain;
      if (!follows && (head.id !== "0-0" || fact.sequence === "1")) throw new Error(`wrong chain: ${name} ${id}`);
      Object.assign(head, { id, chain: fact.chain });
      if (accepts(fact)) return fact;
    }
}

async function ask(stream, type, request) { // its answer is the fact that names it as its cause
  const [time, data] = [new Date().toISOString().replace("Z", "000Z"), JSON.stringify({ table, ...request })];
  const entry = { specversion: "1.0", id: randomUUID(), source: "/example", type, subject: table, time, data };
  const id = await server.xAdd(`baccarat:{${pit}}:${stream}`, "*", entry);
  return follow((fact) => fact.causation === `${stream}/${id}`);
}
const past = [];
await follow(({ type, subject, data }) => { if (subject === table) past.push({ type, ...JSON.parse(data) }); }, {});
const { limits: { bets, currency } } = past.findLast(({ limits }) => limits);
const { shoe_number, round_number = 0 } = past.findLast(({ type }) => /^(shoe.started|round.opened)$/.test(type));
const round = { shoe_number, round_number: round_number + 1 };
const stake = { bet_id: randomUUID(), bettor_id: "example", bet: "player", amount_minor: bets.player.minimum_minor };
const opened = await ask("console", "round.open", { operator: "example", ...round });
if (opened.type !== "round.opened") throw new Error(opened.data);
const { type, data, causation } = await ask("wagers", "bet.place", { ...stake, currency, ...round });
console.log(type, data);
await ask("console", "betting.close", { operator: "example", wagers_through: causation.split("/")[1], ...round });
console.log((await follow(({ type, subject }) => type === "round.settled" && subject === table)).data);
server.destroy();
