import fc from "fast-check";
import type { HookEntry } from "../../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import {
  wantedHooks,
  type WantedInput,
} from "../../../../../src/engine/hooks/install/settings/wanted-hooks.ts";

/** Synthetic settings files like people's own: comments, odd white space, other hooks. */

export const shim = { path: "/opt/purser 1/dist/hook.cjs", runtime: "node" };
export const address = { port: 41_234, token: "a-token-of-some-length" };

export function claudeHooks(change: Partial<WantedInput> = {}): HookEntry[] {
  return wantedHooks({
    program: "claude-code",
    shim,
    address,
    isShared: false,
    platform: "linux",
    ...change,
  });
}

const events = ["PreToolUse", "Stop", "SessionStart", "Notification", "toString"];
const word = fc.stringMatching(/^[a-z"\\ é]{0,8}$/u);
const handler = fc.oneof(
  fc.record({ type: fc.constant("command"), command: word }),
  fc.record({ type: fc.constant("http"), url: fc.constant("http://127.0.0.1:99/hook/claude-code") }),
);
const group = fc.record(
  { matcher: word, hooks: fc.array(handler, { maxLength: 2 }) },
  { requiredKeys: ["hooks"] },
);
const others = fc.dictionary(
  fc.constantFrom("model", "env", "permissions", "b c", "__proto__"),
  fc.jsonValue({ maxDepth: 2 }),
  {
    maxKeys: 3,
  },
);
const hooks = fc.dictionary(fc.constantFrom(...events), fc.array(group, { maxLength: 3 }), { maxKeys: 3 });
const settings = fc
  .tuple(others, fc.option(hooks, { nil: undefined }), fc.boolean())
  .map(([rest, own, isFirst]): Record<string, unknown> => {
    if (own === undefined) return rest;
    return isFirst ? { hooks: own, ...rest } : { ...rest, hooks: own };
  });

/** The comment, white space or comma at each place that allows one. */
export interface JsonStyle {
  readonly gaps: readonly string[];
  readonly eol: string;
  readonly hasTrailingCommas: boolean;
  readonly hasBom: boolean;
  readonly ending: string;
}

const gap = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "\n",
  "\n  ",
  "\n\t\t",
  "/* c */",
  " // note, {\n",
  '\n  // "hooks": []\n  ',
  "/*\n*/ ",
);
const jsonStyle: fc.Arbitrary<JsonStyle> = fc.record({
  gaps: fc.array(gap, { minLength: 1, maxLength: 40 }),
  eol: fc.constantFrom("\n", "\r\n"),
  hasTrailingCommas: fc.boolean(),
  hasBom: fc.boolean(),
  ending: fc.constantFrom("", "\n", "\n\n  ", " // end\n"),
});

/** Writes a value in the given style. */
function written(value: unknown, { gaps, eol, hasTrailingCommas, hasBom, ending }: JsonStyle): string {
  let index = 0;
  const next = () => gaps[index++ % gaps.length] ?? "";
  const list = (open: string, parts: readonly string[], close: string) => {
    const comma = hasTrailingCommas && parts.length > 0 ? "," : "";
    return `${open}${parts.join(",")}${comma}${next()}${close}`;
  };
  const write = (each: unknown): string => {
    if (Array.isArray(each)) {
      const elements: unknown[] = each;
      return list(
        "[",
        elements.map((one) => `${next()}${write(one)}${next()}`),
        "]",
      );
    }
    if (typeof each === "object" && each !== null) {
      const members = Object.entries(each).map(
        ([name, one]) => `${next()}${JSON.stringify(name)}${next()}:${next()}${write(one)}${next()}`,
      );
      return list("{", members, "}");
    }
    return JSON.stringify(each);
  };
  const text = `${next()}${write(value)}${ending}`;
  return `${hasBom ? "\uFEFF" : ""}${text.replaceAll("\n", eol)}`;
}

/** The text of a settings file. */
export const settingsText = fc
  .tuple(settings, fc.oneof(jsonStyle, fc.constant(null)))
  .map(([value, how]) => (how === null ? `${JSON.stringify(value, null, 2)}\n` : written(value, how)));
