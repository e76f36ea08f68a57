// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, changed, partsOf, pathOf, urlOf } from "../../src/base/address";
import type { Address } from "../../src/base/address";
import { faultsOf } from "../../src/base/faults";
import { sourceLink, traceLink } from "../../src/base/links";
import { secondsOf } from "../../src/base/range";
import { rootOf, withoutRoot } from "../../src/base/root";
import { searchUrl } from "../../src/base/search";
import { boxText, comparedOf, parseBox, rollupOf, selectionOf } from "../../src/base/selection";
import { lastNs, parseTime, pointOf } from "../../src/base/times";
import { curlOf } from "../../src/parts/downloads";
import { agentOption } from "../../src/parts/no_jvm";
import { timeBefore, wholeHref } from "../../src/parts/views";

const at = (path: string, query = ""): Address => ({
  path: path.split("/").filter((part) => part !== ""),
  params: new URLSearchParams(query),
});
const range = { from: 1767323045123456789n, to: 1767323105123456789n };
const NOW = 1767323105123456789n;
const RANGE = "from=1767323045123456789&to=1767323105123456789";

test("parts of a path have any characters", () => {
  assert.equal(pathOf("s", "a/b c"), "/s/a%2Fb%20c");
  assert.equal(pathOf(), "/");
});

test("what browsers take out of a path is written another way", () => {
  assert.equal(pathOf("s", ""), "/s/~");
  assert.equal(pathOf("s", ".."), "/s/~..");
  const names = ["", ".", "..", "...", "~", "~.", "~..", "~~", "~a", "a~", ".a", "a/b% c", "%2e"];
  const paths = names.map((name) => pathOf("s", name));
  assert.equal(new Set(paths).size, names.length);
  for (const [index, path] of paths.entries()) {
    assert.equal(new URL(path, "http://h").pathname, path);
    assert.deepEqual(partsOf(path), ["s", names[index]]);
  }
});

test("the root is above the script, and no part of what is shown", () => {
  assert.equal(rootOf("http://h:1/page.js"), "");
  assert.equal(rootOf("https://h/tools/loupe/page.js?x=/y"), "/tools/loupe");
  assert.equal(withoutRoot("/s/a", ""), "/s/a");
  assert.equal(withoutRoot("/tools/loupe/s/a", "/tools/loupe"), "/s/a");
  assert.equal(withoutRoot("/tools/loupe", "/tools/loupe"), "");
  assert.equal(withoutRoot("/tools/loupex/s", "/tools/loupe"), "/tools/loupex/s");
});

test("a change takes away, sets, and repeats", () => {
  const params = changed(new URLSearchParams("a=1&b=2"), { a: null, b: ["3", "4"], c: "5" });
  assert.equal(urlOf("/x", params), "/x?b=3&b=4&c=5");
  assert.equal(urlOf("/x", new URLSearchParams()), "/x");
});

test("points in time are exact to the nanosecond", () => {
  assert.equal(parseTime("1767323045123456789"), 1767323045123456789n);
  assert.equal(parseTime("2026-01-02T03:04:05.123456789Z"), 1767323045123456789n);
  assert.equal(parseTime("2026-01-02T04:04:05.5+01:00"), 1767323045500000000n);
  assert.equal(parseTime("yesterday"), null);
  assert.equal(parseTime(""), null);
});

test("lengths of time", () => {
  assert.equal(lastNs("15m"), 900_000_000_000n);
  assert.equal(lastNs("500ms"), 500_000_000n);
  assert.equal(lastNs("90000s"), 90_000_000_000_000n);
  assert.equal(lastNs("90000 s"), 90_000_000_000_000n);
  assert.equal(lastNs("0m"), null);
  assert.equal(lastNs("1000000d"), null); // over 64 bits of nanoseconds
  assert.equal(lastNs("15"), null);
});

test("a length of time counts back from now", () => {
  assert.equal(pointOf("10m", NOW), NOW - 600_000_000_000n);
  assert.equal(pointOf("1767323045123456789", NOW), 1767323045123456789n);
  assert.equal(pointOf("10 minutes", NOW), null);
});

test("a trace id opens the trace", () => {
  const id = "4bf92f3577b34da6a3ce929d0e0e4736";
  assert.match(searchUrl(id.toUpperCase(), at("/")), new RegExp(`^/t/${id}`));
});

test("a condition is added to the service that is shown, else it is of all", () => {
  assert.equal(
    searchUrl("tenant=acme", at("/s/checkout", "where=a%3D1&last=15m")),
    "/s/checkout?last=15m&where=a%3D1&where=tenant%3Dacme",
  );
  assert.match(searchUrl("items>=10", at("/r")), /^\/s\?.*where=items%3E%3D10$/);
});

test("anything else is looked for in methods", () => {
  assert.match(searchUrl("Inventory.reserve", at("/s/checkout")), /frame=Inventory\.reserve$/);
});

test("a selection has the API's names, and the box in place of the range", () => {
  const chosen = at("/s/checkout", "context=Request&where=a%3D1&where=b%3D2&last=15m&live=1");
  assert.equal(
    String(selectionOf(chosen, range)),
    `service=checkout&context=Request&where=a%3D1&where=b%3D2&${RANGE}`,
  );
  const hour = { from: 0n, to: 3_600_000_000_000n };
  const where = "&where=a%3D1";
  for (const [box, more, of, from, to] of [
    ["40000000000,160000000000", "", hour, "10000000000", "190000000000"],
    ["40000000000,50000000000", "", hour, "35000000000", "55000000000"], // of a short column: no chunk is longer
    ["40000000000,160000000000", "", range, "37500000000", "162500000000"], // of slices
    ["40000000000,41000000000", "", range, "39500000000", "41500000000"],
    ["40000000000,160000000000", where, range, "10000000000", "190000000000"], // of chunks
  ] as const) {
    const boxed = at("/s/checkout", `box=${box},5,7&min_duration_ns=1${more}`);
    assert.equal(
      String(selectionOf(boxed, of)),
      `service=checkout${more}&from=${from}&to=${to}&min_duration_ns=5&max_duration_ns=7`,
    );
  }
});

test("a base is the rest, or another box of the same service", () => {
  assert.equal(String(comparedOf(at("/s/a", "base=rest"), range)), `service=a&${RANGE}&base=rest`);
  const both = comparedOf(
    at(
      "/s/a",
      "context=R&where=a%3D1&pool=&thread=w*&box=1,2,3,4&base_box=30000000005,90000000005,7,8",
    ),
    { from: 0n, to: 3_600_000_000_000n },
  );
  assert.equal(both.get("base_from"), "5");
  assert.equal(both.get("base_max_duration_ns"), "8");
  assert.equal(both.get("base_service"), "a");
  assert.equal(both.get("base_context"), "R");
  assert.equal(both.get("base_where"), "a=1");
  assert.equal(both.get("base_thread"), "w*"); // as the box itself
  assert.equal(both.get("base_pool"), "");
});

test("statistics are asked for what they know", () => {
  const one = at("/s/a", "where=k%3Dv&min_duration_ns=1&box=1,2,3,4");
  assert.equal(String(rollupOf(one, range)), `service=a&${RANGE}&where=k%3Dv`);
  for (const where of ["k%3E%3D1", "k!%3D1", "k%5E%3D1"]) {
    assert.equal(rollupOf(at("/s/a", `where=${where}`), range).get("where"), null);
  }
});

test("boxes survive the URL", () => {
  const box = { from: 1767323045123456789n, to: 1767323105000000000n, min: 1000, max: 2000 };
  assert.deepEqual(parseBox(boxText(box)), box);
  assert.equal(parseBox("1,2,3"), null);
  assert.equal(parseBox(null), null);
});

test("a curl command asks for the same", () => {
  assert.equal(
    curlOf("/api/v1/why?service=checkout&where=a%3Dit%27s", "http://h:1"),
    "curl -fG http://h:1/api/v1/why \\\n  --data-urlencode service=checkout \\\n  --data-urlencode 'where=a=it'\\''s'",
  );
  assert.equal(curlOf("/api/v1/recordings", "http://h:1"), "curl -f http://h:1/api/v1/recordings");
  assert.equal(
    curlOf("/api/v1/recordings", "http://h:1", true),
    'curl -f -H "Authorization: Bearer $TOKEN" http://h:1/api/v1/recordings',
  );
});

test("agents reach a collector that listens everywhere where its page is", () => {
  const at = (agents: string) => agentOption(agents, "loupe.example").split(",")[0];
  const path = "-agentpath:/path/to/libloupe.so=collector=";
  assert.equal(at("tcp://0.0.0.0:7411"), `${path}tcp://loupe.example:7411`);
  assert.equal(at("tcp://[::]:7411"), `${path}tcp://loupe.example:7411`);
  assert.equal(at("tcp://127.0.0.1:7411"), `${path}tcp://127.0.0.1:7411`);
});

test("agents that reach a collector by TLS are told its authority", () => {
  assert.equal(
    agentOption("tls+tcp://0.0.0.0:7411", "loupe.example"),
    "-agentpath:/path/to/libloupe.so=collector=tls+tcp://loupe.example:7411,ca=/path/to/ca.pem,service=NAME",
  );
});

test("minutes that are not counted yet are no part of the time that is", () => {
  const [t0, step] = [0n, 60e9];
  const asked = { from: 0n, to: 600_000_000_000n };
  const filled = (count: number) => Array.from({ length: 10 }, (_, column) => column < count);
  assert.equal(secondsOf(t0, step, filled(10), asked), 600);
  assert.equal(secondsOf(t0, step, filled(8), asked), 480);
  assert.equal(secondsOf(t0, step, filled(6), asked), 600); // it was quiet
  assert.equal(secondsOf(t0, step, filled(0), asked), 600);
});

test("a method of an inner class is looked for by its name", () => {
  const url = searchUrl("Outer$Inner.run", at("/s/x"));
  assert.equal(new URLSearchParams(url.split("?")[1]).get("frame"), "Outer\\$Inner.run");
  const end = searchUrl("run$", at("/s/x"));
  assert.equal(new URLSearchParams(end.split("?")[1]).get("frame"), "run$");
});

test("parameters that say nothing are known, and those that do are not among them", () => {
  const wrong = "min_duration_ns=abc&from=yesterday&last=1y&box=1,2&unit=jobs&live=yes";
  const right = "max_duration_ns=12&to=2026-01-02T03:04:05Z&where=nonsense&key=&box=1,2,3,4";
  assert.deepEqual(
    faultsOf(new URLSearchParams(`${wrong}&${right}`), NOW).map(
      ({ name, value }) => `${name}=${value}`,
    ),
    wrong.split("&"),
  );
  assert.deepEqual(
    faultsOf(new URLSearchParams("from=20&to=10"), NOW).map(({ name }) => name),
    ["from"],
  );
  for (const good of ["from=10&to=20", "from=10m", "from=10m&to=5m", "from=10&to=5m"]) {
    assert.deepEqual(faultsOf(new URLSearchParams(good), NOW), [], good);
  }
  const isBehind = ({ why }: { why: string }) => why === "it has to be before to";
  assert.ok(faultsOf(new URLSearchParams("from=5m&to=10m"), NOW).some(isBehind));
  const ofRequests = "where=a%3Db&min_duration_ns=1&thread=main";
  assert.deepEqual(
    faultsOf(new URLSearchParams(`unit=threads&${ofRequests}`), NOW).map(({ name }) => name),
    ["where", "min_duration_ns"],
  );
  assert.deepEqual(faultsOf(new URLSearchParams(ofRequests), NOW), []);
});

test("a bound that is no number chooses nothing", () => {
  const query = selectionOf(at("/s/shop", "min_duration_ns=abc&max_duration_ns=5"), range);
  assert.equal(query.toString(), `service=shop&${RANGE}&max_duration_ns=5`);
});

test("templates lead to a trace and to a line of source code", () => {
  assert.equal(traceLink("http://t/{trace_id}?x={y}", "ab"), "http://t/ab?x={y}");
  const template = "https://g/{service}/{path}.java#L{line}{x}";
  assert.equal(
    sourceLink(template, "com.acme.Shop$Cart$1.pay:42", { service: "a b", version: "" }),
    "https://g/a%20b/com/acme/Shop.java#L42{x}",
  );
  assert.equal(sourceLink(template, "com.acme.Shop.pay:42", null), null);
  assert.equal(sourceLink("https://g/{path}", "Shop.pay:42", null), "https://g/Shop");
  const tagged = "https://g/v{version}/{path}";
  const origin = { service: "s", version: "1.2/3" };
  assert.equal(sourceLink(tagged, "Shop.pay:42", origin), "https://g/v1.2%2F3/Shop");
  assert.equal(sourceLink(tagged, "Shop.pay:42", { ...origin, version: "" }), null);
  for (const frame of ["com.acme.Shop.pay", "java.lang.Thread.run:1", "pay:42", ""]) {
    assert.equal(sourceLink(template, frame, { service: "s", version: "1" }), null, frame);
  }
});

test("the whole service has the time of a box, and the way back the time before", () => {
  const params = new URLSearchParams("last=6h&zone=utc&box=1,2,3,4&whole=1");
  address.value = { path: ["s", "a"], params };
  const whole = new URLSearchParams(wholeHref(params).split("?")[1]);
  assert.deepEqual(
    ["from", "to", "last", "zone", "box", "whole"].map((name) => whole.get(name)),
    ["1", "2", null, "utc", null, null],
  );
  const back = changed(whole, timeBefore(whole));
  assert.deepEqual(
    ["from", "to", "last", "zone", "before"].map((name) => back.get(name)),
    [null, null, "6h", "utc", null],
  );
  const chosen = changed(whole, { from: "7", to: "9" }); // another time was chosen meanwhile
  assert.equal(changed(chosen, timeBefore(chosen)).get("from"), "7");
});
