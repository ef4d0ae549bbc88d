import { compose } from "../../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import { hookFormats, type HookEntry } from "./install-settings-entry.ts";
import type { HookFile } from "./agent-file.ts";
import { readHookTree } from "./install-settings-tree.ts";
import { body, decodeJson, leniencies, parseJsonDocument, type Leniencies } from "./json-document.ts";
import { isFormer } from "./set-hooks.ts";
import type { PlanReason } from "../plan-change.ts";
import { hasStatusLine, withStatusLine, type LineMaker } from "./set-status-line.ts";
import { readSettings, type SettingsDisk } from "./disk.ts";
import { fail, succeed, type Result } from "../../../base/result.ts";

/** State of the hooks in a settings file. */
export interface HookStatus {
  /** `outdated`: hooks of ours exist, but differ from what would be installed now. */
  readonly state: "absent" | "installed" | "outdated";
  /** The events that have a hook of ours. */
  readonly events: readonly string[];
  /** Whether the agent's status line is purser's, chaining the user's. */
  readonly hasStatusLine: boolean;
  /** Syntax in the file that its agent does not accept as JSON. */
  readonly leniencies: Leniencies;
}

/** Inspects one file, compared with what would be installed now. */
export async function hookStatus(
  { file, program }: HookFile,
  { wanted, statusLine }: { readonly wanted: readonly HookEntry[]; readonly statusLine?: LineMaker },
  disk: SettingsDisk,
): Promise<Result<HookStatus, PlanReason>> {
  const settings = await readSettings(file, disk);
  if (!settings.ok) return settings;
  const text = decodeJson(settings.value.bytes ?? Buffer.alloc(0));
  const document = text.ok ? parseJsonDocument(text.value) : text;
  if (!document.ok) return fail(document.reason, compose`${file}: ${document.detail}`);
  const tree = readHookTree(document.value, hookFormats[program]);
  if (!tree.ok) return fail(tree.reason, compose`${file}: ${tree.detail}`);
  const own = tree.value?.own ?? [];
  const isCurrent =
    own.length === wanted.length &&
    wanted.every((entry) =>
      own.some(
        ({ event, value, matcher }) =>
          event === entry.event && isDeepStrictEqual(value, entry.handler) && !isFormer(matcher, entry),
      ),
    );
  const line = body(document.value);
  const lined = statusLine === undefined ? null : withStatusLine(line, statusLine);
  const isLineCurrent = lined === null || (lined.ok && lined.value === line);
  const state = own.length === 0 ? "absent" : isCurrent && isLineCurrent ? "installed" : "outdated";
  return succeed({
    state,
    events: own.map(({ event }) => event),
    hasStatusLine: hasStatusLine(line),
    leniencies: leniencies(document.value, hookFormats[program]),
  });
}
