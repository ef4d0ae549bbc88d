import { sentence, type Sentence, compose, plainSentence } from "../base/language.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { type Configuration, type OverlayFile, configurationHash } from "../bench/configuration.ts";
import { isBelow } from "../bench/execute.ts";
import type { Receipt } from "../verdict/receipt.ts";
import { withoutSection } from "../instructions/instruction-file.ts";
import { controlsOf, maxArms } from "../bench/plan.ts";
import type { BenchRequest } from "../bench/bench-request.ts";

/** Everything else is the same on both sides. */
export type Change =
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "effort"; readonly effort: string }
  | { readonly kind: "prompt"; readonly name: string; readonly definition: string }
  /** Files of the project: a skill, an MCP server, settings, a CLAUDE.md. */
  | { readonly kind: "setting"; readonly name: Sentence; readonly files: readonly OverlayFile[] }
  /** Purser's own guards, every family of rules `on`, with each run's own state. */
  | { readonly kind: "guard"; readonly mode: "on" }
  /** An existing part left out: a whole file, or one section of it. */
  | {
      readonly kind: "without";
      readonly file: OverlayPath;
      readonly text: string;
      readonly heading: string | null;
    };

type OverlayPath =
  { readonly is: "file"; readonly path: string } | { readonly is: "definition" } | { readonly is: "memory" };

export interface ChangedPair {
  readonly subject: Receipt["subject"];
  readonly configurations: readonly [Configuration, Configuration];
}

/** `whole_agent`: an agent without its definition cannot be measured. */
type ChangeFault = "no_change" | "outside" | "no_section" | "several" | "whole_agent";

export function changedPair(base: Configuration, change: Change): Result<ChangedPair, ChangeFault> {
  const made = makeSides(base, change);
  if (!made.ok) return made;
  const { sides, title } = made.value;
  const [before, after] = sides;
  const outside = [...before.overlay, ...after.overlay].find(({ path }) => !isBelow(path));
  if (outside !== undefined) return fail("outside", sentence("{0} is outside of the project", outside.path));
  if (sameBut(before, after))
    return fail("no_change", sentence("Both sides are the same: {title}", { title }));
  const kind = change.kind === "without" ? "ablation" : "comparison";
  // With overlaid files, or a part left out, neither side is the unchanged agent.
  const isAsItIs = kind === "comparison" && before.overlay.length === 0;
  return succeed({
    subject: { kind, id: idOf(change), title },
    configurations: [
      { ...before, role: isAsItIs ? base.role : "candidate" },
      { ...after, role: "candidate" },
    ],
  });
}

interface Sides {
  readonly sides: readonly [Configuration, Configuration];
  readonly title: Sentence;
}

function makeSides(base: Configuration, change: Change): Result<Sides, ChangeFault> {
  const against = (
    before: Sentence,
    after: Sentence,
    changed: Partial<Configuration>,
    title = after,
  ): Result<Sides, ChangeFault> =>
    succeed({
      sides: [
        { ...base, label: before },
        { ...base, ...changed, label: after },
      ],
      title: comparisonTitle(title, before),
    });
  switch (change.kind) {
    case "model":
      return against(plainSentence(base.model), plainSentence(change.model), { model: change.model });
    case "effort":
      return against(
        base.effort === null ? sentence("usual effort") : plainSentence(base.effort),
        plainSentence(change.effort),
        { effort: change.effort },
      );
    case "prompt":
      return against(sentence("shipped prompt"), plainSentence(change.name), {
        definition: change.definition,
      });
    case "setting":
      return against(
        sentence("unchanged"),
        settingLabel(change.name),
        { overlay: [...base.overlay, ...change.files] },
        settingTitle(change.name),
      );
    case "guard":
      return against(sentence("without guards"), compose`guard=${change.mode}`, { guard: change.mode });
    case "without":
      return leaveOut(base, change);
  }
}

/** `with a shorter CLAUDE.md`; a setting that leaves something out is called `no …`. */
function settingLabel(name: Sentence): Sentence {
  return name.text.startsWith("no ")
    ? sentence("without {name}", { name: name.text.slice("no ".length) })
    : sentence("with {name}", { name });
}

/** The same at the start of a title. Names of models and prompts stay unchanged. */
function settingTitle(name: Sentence): Sentence {
  return name.text.startsWith("no ")
    ? sentence("Without {name}", { name: name.text.slice("no ".length) })
    : sentence("With {name}", { name });
}

/** `haiku, opus vs. sonnet`. */
export function comparisonTitle(all: Sentence | readonly Sentence[], before: Sentence): Sentence {
  switch (before.text) {
    case "unchanged":
      return sentence("{each} vs. unchanged", { each: all });
    case "usual effort":
      return sentence("{each} vs. usual effort", { each: all });
    case "shipped prompt":
      return sentence("{each} vs. shipped prompt", { each: all });
    case "without guards":
      return sentence("{each} vs. without guards", { each: all });
    default:
      return sentence("{0} vs. {1}", all, before);
  }
}

function leaveOut(
  base: Configuration,
  { file, text, heading }: Extract<Change, { kind: "without" }>,
): Result<Sides, ChangeFault> {
  if (file.is === "definition" && heading === null)
    return fail("whole_agent", sentence("Name a heading: an agent can't be measured without its definition"));
  const name = file.is === "file" ? file.path : file.is === "memory" ? "MEMORY.md" : `${base.agent}.md`;
  const rest = heading === null ? null : withoutSection(text, heading);
  if (rest !== null && !rest.ok) return rest;
  const left = rest?.value.text ?? null;
  const what = rest === null ? name : `${name}#${rest.value.section.slug}`;
  return succeed({
    sides: [
      { ...base, ...placed(base, file, text), label: sentence("with {name}", { name: what }) },
      { ...base, ...placed(base, file, left), label: sentence("without {name}", { name: what }) },
    ],
    title: plainSentence(what),
  });
}

/** A null text removes the file. */
function placed(base: Configuration, file: OverlayPath, text: string | null): Partial<Configuration> {
  switch (file.is) {
    case "definition":
      return { definition: text };
    case "memory":
      return { memory: text };
    case "file":
      return {
        overlay: [...base.overlay.filter(({ path }) => path !== file.path), { path: file.path, text }],
      };
  }
}

function sameBut(one: Configuration, other: Configuration): boolean {
  const shown = (side: Configuration) => JSON.stringify({ ...side, label: "" });
  return shown(one) === shown(other);
}

function idOf(change: Change): string {
  switch (change.kind) {
    case "model":
      return `model:${change.model}`;
    case "effort":
      return `effort:${change.effort}`;
    case "guard":
      return `guard:${change.mode}`;
    case "prompt":
      return `prompt:${change.name}`;
    case "setting":
      return `setting:${change.name.text}`;
    case "without": {
      const name = change.file.is === "file" ? change.file.path : change.file.is;
      return `without:${name}${change.heading === null ? "" : `#${change.heading}`}`;
    }
  }
}

/** Several changes are compared with the same runs of one configuration. */
export interface ChangedArms {
  /** In the requested order. */
  readonly pairs: readonly [ChangedPair, ...ChangedPair[]];
  readonly title: Sentence;
  readonly bench: Pick<BenchRequest, "configurations" | "design">;
}

/** `twice`: a change is named again. `too_many`: more than `maxArms`. `apart`: changes without a common unchanged side. */
export type ArmsFault = ChangeFault | "twice" | "too_many" | "apart";

export function changedArms(
  base: Configuration,
  change: Change,
  others: readonly Change[] = [],
): Result<ChangedArms, ArmsFault> {
  const first = changedPair(base, change);
  if (!first.ok) return first;
  const pairs: [ChangedPair, ...ChangedPair[]] = [first.value];
  if (others.length === 0) {
    const { configurations, subject } = first.value;
    return succeed({ pairs, title: subject.title, bench: { configurations } });
  }
  const count = 1 + others.length;
  if (count > maxArms)
    return fail(
      "too_many",
      sentence("{0} changes are named; at most {1} are compared at once", count, maxArms),
    );
  for (const other of others) {
    const made = changedPair(base, other);
    if (!made.ok) return made;
    const [before, after] = made.value.configurations;
    const twin = pairs.find((each) => isSame(each.configurations[1], after));
    if (twin !== undefined)
      return fail(
        "twice",
        sentence("{one} is the same as {other}; name each once", {
          one: after.label,
          other: twin.configurations[1].label,
        }),
      );
    if (!isSame(before, first.value.configurations[0]))
      return fail(
        "apart",
        sentence("What is left out can only be compared on its own; ask for one at a time"),
      );
    pairs.push(made.value);
  }
  const [control] = first.value.configurations;
  const controls = Array.from({ length: controlsOf(count) }, (_, index) =>
    index === 0 ? control : { ...control, label: compose`${control.label} (${index + 1})` },
  );
  const changed = pairs.map(({ configurations }) => configurations[1]);
  return succeed({
    pairs,
    title: comparisonTitle(
      changed.map(({ label }) => label),
      control.label,
    ),
    bench: { configurations: [...controls, ...changed], design: "arms" },
  });
}

function isSame(one: Configuration, other: Configuration): boolean {
  return configurationHash(one) === configurationHash(other);
}
