import { type Sentence, sentence, t } from "../../base/language.ts";
import path from "node:path";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HookProgram } from "../../hooks/program.ts";
import {
  type HookScope,
  noteInstallation,
  type HookChange,
  type RunStatus,
  type InstallContext,
  type InstallReason,
  type HookChoice,
  statusOf,
  chooseHooks,
  planWholeInstall,
  planWholeUninstall,
  makeChange,
  type ChangeReason,
  planSkill,
  type SkillPlan,
} from "../../hooks/install.ts";
import { purserPaths } from "../../base/paths.ts";
import type { CliHost } from "../cli-ports.ts";
import { canAsk, confirmed } from "../confirm.ts";
import { changeInLines, hookAddress, installContext, settingsAt } from "./hooks-context.ts";
import type { HookFileJson } from "./hooks-schema.ts";
import {
  describeLacks,
  describeNode,
  describePreview,
  describeSkipped,
  notesOn,
  describePolicy,
  skillNotes,
} from "./describe-hooks.ts";
import { styleFor } from "../style.ts";
import { asLine } from "../terminal-text.ts";
import { wrapCells } from "../text-cells.ts";
import { cleanText } from "../../base/text.ts";

export interface HooksRequest {
  readonly program: HookProgram;
  readonly scope: HookScope;
  readonly cwd: string;
  readonly isDry: boolean;
  /** Print each line that changes. In a terminal it can also be asked for. */
  readonly isDiff: boolean;
  readonly isYes: boolean;
  readonly isJson: boolean;
  /** Report figures through the agent's status line, regardless of the settings. */
  readonly isLined: boolean;
  /** Install without a Node that can run the hooks. */
  readonly isAnyway: boolean;
}

export type HooksDone = Promise<
  Result<HookFileJson, InstallReason | ChangeReason | "not_asked" | "declined" | "no_node">
>;

export async function install(request: HooksRequest, host: CliHost): HooksDone {
  const { program, scope, isDry } = request;
  const statusLine = request.isLined || settingsAt(host).statusLine;
  const isPosted = program === "claude-code" && scope === "user";
  const context = contextOf(request, host, await hookAddress(host, isPosted && !isDry));
  const planned = await planWholeInstall(request, context, { statusLine });
  if (!planned.ok) return planned;
  const { choice, changes, elsewhere, leniencies, skill, node } = planned.value;
  if (node.kind !== "found" && !request.isAnyway && !isDry) return fail("no_node", describeNode(node));
  const notes = [
    ...(node.kind === "found" ? [] : [sentence("Warning: {0}", describeNode(node))]),
    ...notesOn(choice, leniencies, elsewhere),
    ...describeLacks(choice),
    ...skillNotes(skill),
  ];
  return await carryOut(
    { changes, choice, notes, question: t("Install these hooks?") },
    request,
    context,
    host,
  );
}

export async function uninstall(request: HooksRequest, host: CliHost): HooksDone {
  const context = contextOf(request, host, await hookAddress(host, false));
  const planned = await planWholeUninstall(request, context);
  if (!planned.ok) return planned;
  const choice = await chooseHooks(request.program, request.scope, context);
  if (!choice.ok) return choice;
  const { change, changes, file, skill } = planned.value;
  const notes = [...(file.choice === null ? [] : [file.choice]), ...skillNotes(skill)];
  if (change.isNeeded && !change.isRestored)
    notes.push(sentence("The file was changed since: only purser's hooks are removed."));
  const question = t("Remove these hooks?");
  return await carryOut(
    { changes, choice: { ...choice.value, policies: [] }, notes, question },
    request,
    context,
    host,
  );
}

export async function status(request: HooksRequest, host: CliHost): HooksDone {
  const context = contextOf(request, host, await hookAddress(host, false));
  const found = await statusOf(request.program, request.scope, context);
  if (!found.ok) return found;
  const skill = await planSkill("install", found.value.file, context);
  if (!skill.ok) return skill;
  const { state, leniencies, skipped } = found.value;
  const notes =
    state === "absent" ? [] : [...notesOn(found.value, leniencies), ...describeSkipped(skipped, found.value)];
  return succeed(toJson(found.value, { notes, change: null, skill: skill.value }));
}

interface Planned {
  /** In order. The settings file's is one of them. */
  readonly changes: readonly HookChange[];
  readonly choice: HookChoice;
  readonly notes: readonly Sentence[];
  readonly question: string;
}

async function carryOut(
  { changes, choice, notes, question }: Planned,
  request: HooksRequest,
  context: InstallContext,
  host: CliHost,
): HooksDone {
  const needed = changes.filter(({ isNeeded }) => isNeeded);
  const diff = needed.map((change) => changeInLines(change, context.address?.token ?? null)).join("");
  const printDiff = () => void host.stdout.write(diff);
  if (!request.isJson) show({ needed, choice, notes, isDiff: request.isDiff }, printDiff, host);
  const isNeeded = needed.length > 0;
  const shown = { isNeeded, isMade: false, diff, backup: null };
  if (request.isDry) return await afterwards(choice, notes, shown, request, context);
  if (isNeeded && !request.isYes) {
    if (request.isJson || !canAsk(host))
      return {
        ok: false,
        reason: "not_asked",
        detail: sentence("no terminal to ask in; --yes does it without asking, --dry-run shows it"),
      };
    const more = { key: "d", does: t("show each line that changes"), show: printDiff };
    if (!(await confirmed(question, host, "no", more)))
      return { ok: false, reason: "declined", detail: sentence("nothing was changed") };
  }
  let backup: string | null = null;
  for (const change of changes) {
    const made = await makeChange(change, context);
    if (!made.ok) return made;
    backup ??= made.value.backup;
  }
  noteThis(host);
  return await afterwards(choice, notes, { ...shown, isMade: isNeeded, backup }, request, context);
}

interface Shown {
  readonly needed: readonly HookChange[];
  readonly choice: HookChoice;
  readonly notes: readonly Sentence[];
  readonly isDiff: boolean;
}

/** Begins with what it is good for. */
function show({ needed, choice, notes, isDiff }: Shown, printDiff: () => void, host: CliHost): void {
  const { policies, file } = choice;
  const { width } = styleFor(host);
  const say = (line: string) => void host.stdout.write(`${wrapCells(cleanText(line), width).join("\n")}\n`);
  for (const line of describePreview(needed, choice)) say(line);
  if (isDiff) printDiff();
  else if (needed.length > 0 && !canAsk(host)) say(t("--diff shows each line that changes."));
  for (const policy of policies)
    host.stderr.write(`${t("Warning: {0}", asLine(describePolicy(policy, file.program)))}\n`);
  for (const note of notes) say(asLine(note));
}

async function afterwards(
  choice: HookChoice,
  notes: readonly Sentence[],
  change: HookFileJson["change"],
  { program, scope }: HooksRequest,
  context: InstallContext,
): HooksDone {
  const now = await statusOf(program, scope, context);
  if (!now.ok) return now;
  const skill = await planSkill("install", now.value.file, context);
  if (!skill.ok) return skill;
  return succeed(toJson({ ...now.value, policies: choice.policies }, { notes, change, skill: skill.value }));
}

interface ReportParts {
  readonly notes: readonly Sentence[];
  readonly change: HookFileJson["change"];
  readonly skill: SkillPlan | null;
}

function toJson(
  { file, hasSecret, way, policies, state, events, hasStatusLine, skipped }: HookChoice & RunStatus,
  { notes, change, skill }: ReportParts,
): HookFileJson {
  return {
    agent: file.program === "claude-code" ? "claude" : file.program,
    scope: file.scope,
    file: file.file,
    state,
    events: [...events],
    skipped:
      skipped === null
        ? null
        : {
            unreviewed: [...skipped.unreviewed],
            changed: [...skipped.changed],
            off: [...skipped.off],
            isProjectUntrusted: skipped.isProjectUntrusted,
          },
    way,
    isPosted: hasSecret,
    hasStatusLine,
    skill: skill === null ? null : { file: skill.file, state: skill.state },
    change,
    policies: policies.map(({ effect, file: from, setting, isManaged }) => ({
      effect,
      file: from,
      setting,
      isManaged,
    })),
    notes: [...notes],
  };
}

/** Records this installation as a target of hooks (`installations.ts`). Source code is not one. */
function noteThis(host: CliHost): void {
  const { program } = host.service;
  if (program.endsWith(".cjs")) noteInstallation(purserPaths(host), path.dirname(path.dirname(program)));
}

function contextOf(
  { cwd }: HooksRequest,
  host: CliHost,
  address: Parameters<typeof installContext>[2],
): InstallContext {
  return installContext(host, path.resolve(host.cwd, cwd), address);
}
