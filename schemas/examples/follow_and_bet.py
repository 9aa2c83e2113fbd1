"""Plays one round from outside: python follow_and_bet.py REDIS_URL PIT TABLE (needs nothing but redis-py)."""

import hashlib, json, redis, sys, time, uuid

url, pit, table = sys.argv[1:]
server = redis.Redis.from_url(url, decode_responses=True, socket_timeout=None)
heads = {f"baccarat:{{{pit}}}:{stream}": ("0-0", "0" * 64) for stream in ("cards", "bets")}  # last entry id and chain
CHAINED = ("source", "type", "subject", "time", "causation", "sequence", "data")


def facts(wait_ms=None):  # what is new; behind trimming the first fact's chain is taken as given
    while replies := server.xread({key: entry_id for key, (entry_id, _) in heads.items()}, 1000, wait_ms):
        for key, entry_id, fact in ((key, *entry) for key, entries in replies for entry in entries):
            text = heads[key][1] + "".join(f"{len(fact[name].encode())}:{fact[name]}" for name in CHAINED)
            as_given = heads[key][0] == "0-0" and fact["sequence"] != "1"
            if not as_given and fact["chain"] != hashlib.sha256(text.encode()).hexdigest():
                sys.exit(f"wrong chain: {key} {entry_id}")
            heads[key] = entry_id, fact["chain"]
            yield fact


def ask(stream, kind, **data):  # sends a request and waits for its answer: the fact that names it as its cause
    entry = {"specversion": "1.0", "id": str(uuid.uuid4()), "source": "/example", "type": kind, "subject": table}
    entry |= {"time": time.strftime("%FT%T.000000Z", time.gmtime()), "data": json.dumps({"table": table} | data)}
    place = f"{stream}/{server.xadd(f'baccarat:{{{pit}}}:{stream}', entry)}"
    return next(fact for fact in facts(60_000) if fact["causation"] == place)


past = [(fact["type"], json.loads(fact["data"])) for fact in facts() if fact["subject"] == table]
limits = [data["limits"] for _, data in past if "limits" in data][-1]
last = [data for kind, data in past if kind in ("shoe.started", "round.opened")][-1]
number = {"shoe_number": last["shoe_number"], "round_number": last.get("round_number", 0) + 1}
stake = {"bet": "player", "amount_minor": limits["bets"]["player"]["minimum_minor"], "currency": limits["currency"]}
opened = ask("console", "round.open", operator="example", **number)
assert opened["type"] == "round.opened", opened["data"]
bet = ask("wagers", "bet.place", bet_id=str(uuid.uuid4()), bettor_id="example", **stake, **number)
print(bet["type"], bet["data"])
ask("console", "betting.close", operator="example", wagers_through=bet["causation"].split("/")[1], **number)
print(next(fact["data"] for fact in facts(60_000) if (fact["type"], fact["subject"]) == ("round.settled", table)))
