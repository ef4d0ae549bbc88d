import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import * as z from "zod";
import { defaults, settingsShape } from "../../../src/engine/settings/shape.ts";
import { folderSettings, settingNames } from "../../../src/extension/service/window-settings.ts";

const path = fileURLToPath(new URL("../../../media/guide/settings.md", import.meta.url));
const [begin, end] = ["<!-- settings -->\n", "<!-- /settings -->"];

/** Every key of `settings.json`, generated from the code. */
function table(): string {
  const names: Readonly<Record<string, string | undefined>> = settingNames;
  const values: Readonly<Record<string, unknown>> = defaults;
  const schemas = z.record(z.string(), schema).parse(z.toJSONSchema(z.object(settingsShape)).properties);
  const rows = Object.entries(settingsShape).map(([key, setting]) => {
    const isOfFolder = folderSettings.some((each) => each === key);
    const name = names[key];
    const inEditor = name === undefined ? "" : ` (\`${name}\`${isOfFolder ? ", per folder" : ""})`;
    const allowed = `${valuesOf(schemas[key] ?? {})}; default \`${JSON.stringify(values[key])}\``;
    return `| \`${key}\`${inEditor} | ${allowed} | ${z.globalRegistry.get(setting)?.description} |`;
  });
  const titles = "| Key (in VS Code: `purser.`…) | Values | Meaning |";
  return [titles, "| :- | :- | :- |", ...rows].join("\n");
}

interface Schema {
  readonly type?: string | undefined;
  readonly enum?: string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
});

function valuesOf({ type, enum: words, minimum, maximum, anyOf = [] }: Schema): string {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ");
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return [...(type === undefined ? [] : [type]), ...anyOf.map(valuesOf)].join(" or ");
}

it("The guide has every setting; UPDATE_GOLDEN=1 writes its table again", async () => {
  const text = readFileSync(path, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  assert.ok(from !== -1 && to > from);
  const style = { ...(await resolveConfig(path)), filepath: path };
  const whole = `${text.slice(0, from + begin.length)}\n<!-- prettier-ignore -->\n${table()}\n\n${text.slice(to)}`;
  const expected = await format(whole, style);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, expected);
  assert.equal(readFileSync(path, "utf8"), expected);
});
