import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanLines } from "../../../src/engine/base/text/text.ts";
import { csv, exportText } from "../../../src/extension/ledger/export-ledger.ts";
import { filterOf } from "../../../src/extension/ledger/ledger-controller.ts";
import { panelHtml } from "../../../src/extension/panels/html.ts";
import { firstState } from "../../../src/webview/ledger/ledger-protocol.ts";
import { makeOverview, overviewMessage } from "../../webview/ledger/fixtures.ts";
import { makeSession, sessionMessage } from "../../webview/ledger/session-fixture.ts";

test("a table by RFC 4180, in which nothing is run", () => {
  assert.equal(
    csv(
      ["a", "b"],
      [
        ["x,y", 1.5],
        ['say "no"', null],
      ],
    ),
    'a,b\r\n"x,y",1.5\r\n"say ""no""",\r\n',
  );
  for (const evil of ["=1+1", "+1", "-1", "@sum", "\t=1", " =1", "\r=1", "\u200b=1", "\u001b[0m=1", "＝1"])
    assert.equal(
      csv([], [[evil]])
        .split("\r\n")[1]
        ?.replaceAll('"', "")
        .startsWith("'"),
      true,
      evil,
    );
});

test("a reader finds as many fields as were written, for any texts", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), (rows) => {
      const written = rows.map((row) =>
        row.map(cleanLines).map((text) => (/^(?:[\t\n]|\s*[=+\-@＝＋－＠])/u.test(text) ? `'${text}` : text)),
      );
      assert.deepEqual(parse(csv(["a", "b"], rows)).slice(1), written);
    }),
  );
});

/** An RFC 4180 reader, for this test only. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test("the overview's table has every breakdown, and its rows add up to the total", () => {
  const overview = makeOverview(5);
  const text = exportText(overviewMessage(overview), "csv") ?? "";
  const [names, ...rows] = parse(text);
  assert.ok(names);
  const [by, input] = [names.indexOf("by"), names.indexOf("input")];
  const sums = new Map<string, number>();
  for (const row of rows) {
    assert.equal(row.length, names.length);
    sums.set(row[by] ?? "", (sums.get(row[by] ?? "") ?? 0) + Number(row[input]));
  }
  assert.equal(sums.get("day_and_model"), overview.totals.usage.input);
  assert.deepEqual(
    [...sums.keys()],
    ["day_and_model", "project", "model", "agent", "branch", "subagent", "tool", "skill", "mcp_server"],
  );
});

test("JSON is what was shown and what it was filtered by", () => {
  const overview = makeOverview(5);
  const read: unknown = JSON.parse(exportText(overviewMessage(overview), "json") ?? "");
  const filter = { since: "2026-10-23", until: "2026-11-21", project: null, program: null };
  assert.deepEqual(read, { asOf: overviewMessage(overview).freshness.asOf, filter, overview });
});

test("a session has one row per response; an unknown session has no file", () => {
  const rows = parse(exportText(sessionMessage(makeSession("one", 4)), "csv") ?? "");
  assert.equal(rows.length, 5);
  assert.equal(rows[2]?.[1], "msg_1");
  assert.equal(exportText(sessionMessage(null, "one"), "csv"), undefined);
});

test("yesterday is the day before today, also over a change of the clock", () => {
  const filter = (at: number) => filterOf({ ...firstState.question, range: { kind: "yesterday" } }, at);
  const evening = new Date(2026, 10, 1, 23, 30).getTime();
  assert.deepEqual([filter(evening).since, filter(evening).until], ["2026-10-31", "2026-10-31"]);
  assert.equal(filter(new Date(2026, 0, 1, 0, 5).getTime()).since, "2025-12-31");
});

test("a range is days of the calendar, also over a change of the clock", () => {
  const at = (text: string) => Date.parse(text);
  const days = (count: number, now: number) => {
    const { since, until } = filterOf({ ...firstState.question, range: { kind: "last", days: count } }, now);
    return [since, until];
  };
  assert.deepEqual(days(7, at("2026-11-21T00:30:00")), ["2026-11-15", "2026-11-21"]);
  assert.deepEqual(days(1, at("2026-11-21T23:59:00")), ["2026-11-21", "2026-11-21"]);
  assert.deepEqual(days(366, at("2026-03-01T12:00:00")), ["2025-03-01", "2026-03-01"]);
});

test("the page allows only its own script, for any title", () => {
  const html = panelHtml({ title: '<b>"&', script: 'https://x/"><script>', nonce: "abc" });
  assert.match(
    html,
    /content="default-src 'none'; script-src 'nonce-abc'; base-uri 'none'; form-action 'none'"/u,
  );
  assert.doesNotMatch(html, /<b>|"><script>|unsafe|style=/u);
  assert.equal(html.match(/<script/gu)?.length, 1);
});

test("a page is English, or has its translation before its own script, where no text can end it", () => {
  const page = { title: "T", script: "x.js", nonce: "abc" };
  assert.match(panelHtml(page), /<html lang="en">/u);
  const messages = { Save: "</script><script>alert(1)</script><!--" };
  const html = panelHtml({ ...page, translation: { language: "de", messages } });
  assert.match(html, /<html lang="de">/u);
  const scripts = [...html.matchAll(/<script(?<marks>[^>]*)>(?<code>.*?)<\/script>/gsu)].map(
    ({ groups }) => groups,
  );
  assert.deepEqual(
    scripts.map((script) => script?.["marks"]),
    [' nonce="abc"', ' type="module" nonce="abc" src="x.js"'],
  );
  const json = /^globalThis\.contextPurserTranslation = (?<json>.*);$/u.exec(
    scripts[0]?.["code"] ?? "",
  )?.groups;
  assert.deepEqual(JSON.parse(json?.["json"] ?? ""), { language: "de", messages });
});
