import assert from "node:assert/strict";
import { isNotice } from "./lines.ts";

type Columns = readonly { readonly name: string; readonly constant?: unknown; readonly nested?: Columns }[];

function constants(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name, constant }) => [name, constant]));
}

/** The value of compact JSON, read by its own rules: tables become lists of objects again. */
export function restoredJson(text: string): unknown {
  const [first = "", ...rest] = text.split("\n");
  const body = isNotice(first) ? rest.join("\n") : text;
  let at = 0;
  const skip = () => {
    while (/\s/u.test(body[at] ?? "")) at += 1;
  };
  const takes = (sign: string): boolean => {
    skip();
    if (body[at] !== sign) return false;
    at += 1;
    return true;
  };
  const scalar = (): unknown => {
    const found = /(?:"(?:[^"\\]|\\.)*"|[-+\w.]+)/suy;
    found.lastIndex = at;
    const match = found.exec(body);
    assert.ok(match !== null, `no value at ${at}: ${body.slice(at, at + 40)}`);
    at = found.lastIndex;
    const read: unknown = JSON.parse(match[0]);
    return read;
  };
  const nameOf = (): string => {
    if (body[at] === '"') return String(scalar());
    const found = /[\w$.-]+/uy;
    found.lastIndex = at;
    const match = found.exec(body);
    assert.ok(match !== null, `no name at ${at}`);
    at = found.lastIndex;
    return match[0];
  };
  const columns = (): Columns => {
    const list: { name: string; constant?: unknown; nested?: Columns }[] = [];
    for (;;) {
      skip();
      const name = nameOf();
      if (takes("=")) list.push({ name, constant: takes("(") ? constants(columns()) : scalar() });
      else list.push(takes("(") ? { name, nested: columns() } : { name });
      if (takes(")")) return list;
      assert.ok(takes(","), `a comma at ${at}`);
    }
  };
  const row = (list: Columns): Record<string, unknown> => {
    assert.ok(takes("["), `a row at ${at}`);
    const entries: [string, unknown][] = [];
    const open = list.filter((each) => !("constant" in each));
    open.forEach(({ name, nested }, index) => {
      if (index > 0) assert.ok(takes(","), `a comma at ${at}`);
      skip();
      if (body[at] === "," || body[at] === "]") return;
      entries.push([name, nested === undefined ? value() : row(nested)]);
    });
    assert.ok(takes("]"), `the end of a row at ${at}: ${body.slice(at, at + 40)}`);
    for (const each of list) if ("constant" in each) entries.push([each.name, each.constant]);
    return Object.fromEntries(entries);
  };
  const listOf = (item: () => unknown): unknown[] => {
    const items: unknown[] = [];
    if (takes("]")) return items;
    for (;;) {
      items.push(item());
      if (takes("]")) return items;
      assert.ok(takes(","), `a comma at ${at}`);
    }
  };
  const value = (): unknown => {
    if (takes("(")) {
      const list = columns();
      assert.ok(takes("["), "a table's rows");
      return listOf(() => {
        skip();
        return body[at] === "{" ? value() : row(list);
      });
    }
    if (takes("[")) return listOf(value);
    if (!takes("{")) return scalar();
    const entries: [string, unknown][] = [];
    if (takes("}")) return {};
    for (;;) {
      skip();
      const name = String(scalar());
      assert.ok(takes(":"), `a colon at ${at}`);
      entries.push([name, value()]);
      if (takes("}")) return Object.fromEntries(entries);
      assert.ok(takes(","), `a comma at ${at}`);
    }
  };
  const restored = value();
  skip();
  assert.equal(at, body.length, "the whole text is read");
  return restored;
}
