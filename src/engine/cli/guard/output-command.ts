import * as z from "zod/mini";
import { sentence, t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import { purserPaths } from "../../base/paths.ts";
import type { NetView } from "../../guard/guard-answers.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { StoredOutputs, linesOf } from "../../guard/guard-files.ts";
import { answer, type Invocation } from "../answer.ts";
import { jsonOf, option, quoted, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput } from "../declaration.ts";
import { describeTime } from "../terminal-text.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import { described } from "../../base/sentence-schema.ts";

const output = z.object({
  id: z.string(),
  at: described(z.number(), "Milliseconds since the epoch."),
  session: z.string(),
  program: z.string(),
  line: described(z.string(), "The command, without what looks like a secret."),
  compressor: z.string(),
  bytes: z.int(),
  lines: z.int(),
});

export const outputsJson = z.object({
  schema: z.literal(1),
  outputs: described(z.optional(z.array(output)), "All originals that are kept, the newest first."),
  output: described(
    z.optional(
      z.extend(output, {
        from: described(z.int(), "The first line of the text, from 1."),
        text: z.string(),
      }),
    ),
    "The one with an ID, or the part of it that --lines asks for.",
  ),
  worksAgain: described(
    z.optional(z.array(z.string())),
    "The formats that on COMMAND switched on; with undo, those that are as before.",
  ),
});
type OutputsJson = z.infer<typeof outputsJson>;

export const outputCommand = command({
  name: "output",
  title: "the originals of outputs that were shortened before an agent got them",
  does: "list what is kept, newest first",
  more: [{ words: "ID [--lines A-B]", does: "print one, or some of its lines" }],
  argument: {},
  options: {
    lines: option(
      "A-B",
      "the first and the last line: 20-80",
      "first and last line, counted from 1: 20-80, 20- or 20",
    ),
    json: jsonOf("output"),
  },
  subcommands: {
    on: {
      words: "COMMAND",
      does: 'shorten the outputs of a command, such as "npm test", or of a format again',
      argument: { isMany: true },
      takes: ["json"],
      run: ({ all, options }, host) => wake(all.join(" "), { options, host }),
    },
    undo: {
      words: "COMMAND",
      does: "take back the last on COMMAND: earlier outputs count again",
      argument: { isMany: true },
      takes: ["json"],
      run: ({ all, options }, host) => unwake(all.join(" "), { options, host }),
    },
  },
  notes: `
Outputs are shortened while the guard family output is on: purser guard on --family output. Originals are kept for a week in
~/.purser/outputs, up to 200 MB in total. A format that does not save, after what followed its outputs, is switched off;
purser guard effects shows these formats and what each one saved.
`,
  run: show,
});

async function show({ options, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const lines = options.value("lines");
  const files = new StoredOutputs({ folder: purserPaths(host).outputs, now: () => host.now() });
  if (first === "") {
    if (lines !== undefined) return wrongUsage(sentence("--lines needs an ID"));
    const outputs = [...(await files.list())];
    return answer<OutputsJson>({ schema: 1, outputs }, () => listText(outputs, host), { options, host });
  }
  const range = rangeIn(lines);
  if (!range.ok) return range;
  const read = await files.read(first);
  if (!read.ok) return read;
  const { head, text } = read.value;
  const part = partOf(text, range.value);
  if (part === null)
    return wrongUsage(
      sentence("--lines {0}: it has {1} lines", quoted(lines ?? ""), wholeNumber(head.lines)),
    );
  const json: OutputsJson = { schema: 1, output: { ...head, from: range.value?.from ?? 1, text: part } };
  const shown =
    host.stdout.isTTY === true
      ? linesOf(part)
          .map((line) => cleanText(line))
          .join("\n")
      : part;
  return answer(json, shown.endsWith("\n") ? shown : `${shown}\n`, { options, host });
}

interface LineRange {
  /** From 1, both inclusive. */
  readonly from: number;
  readonly to: number;
}

function rangeIn(text: string | undefined): Result<LineRange | null, "bad_argument"> {
  if (text === undefined) return succeed(null);
  const [, first = "", dash, last = ""] = /^(\d{1,9})(-)?(\d{1,9})?$/u.exec(text) ?? [];
  const from = Number(first);
  const to = last === "" ? (dash === undefined ? from : Number.MAX_SAFE_INTEGER) : Number(last);
  const isWhole = first !== "" && (last === "" || dash !== undefined);
  if (isWhole && from >= 1 && to >= from) return succeed({ from, to });
  return wrongUsage(sentence("--lines {0} is not a range of lines such as 20-80, 20- or 20", quoted(text)));
}

function partOf(text: string, range: LineRange | null): string | null {
  if (range === null) return text;
  const lines = linesOf(text).slice(range.from - 1, range.to);
  return lines.length === 0 ? null : `${lines.join("\n")}\n`;
}

/** Loaded only where formats are switched: agents print originals, and should not wait for rules and ledger. */
const effects = async () => await import("./effects.ts");

async function readNet(host: CliHost): Promise<Result<NetView | null>> {
  return await (await effects()).netSince(0, host);
}

/** Whether a format is for a command, or is meant itself. */
function isFor({ id }: { readonly id: string }, name: string): boolean {
  return id === name || id.endsWith(`:${name}`);
}

async function wake(name: string, invocation: Invocation): Promise<Result<number>> {
  const { host } = invocation;
  const net = await readNet(host);
  if (!net.ok) return net;
  const resting = net.value?.resting ?? [];
  const woken = resting.filter((each) => isFor(each, name));
  if (woken.length === 0) {
    const known = [...new Set(resting.map((each) => quoted(each.command ?? each.rule)))].join(", ");
    return fail(
      "not_resting",
      known === ""
        ? sentence("outputs of {0} are shortened already; no format is switched off", quoted(name))
        : sentence("outputs of {0} are shortened already; switched off are: {1}", quoted(name), known),
    );
  }
  for (const { id } of woken) {
    const done = await (await effects()).wakeRule(id, host);
    if (!done.ok) return done;
  }
  const text = `${t("Outputs of {0} are shortened again; what is known of them no longer counts.", quoted(name))}\n`;
  return answer<OutputsJson>({ schema: 1, worksAgain: woken.map(({ id }) => id) }, text, invocation);
}

async function unwake(name: string, invocation: Invocation): Promise<Result<number>> {
  const { host } = invocation;
  const net = await readNet(host);
  if (!net.ok) return net;
  const woken = (net.value?.woken ?? []).filter((each) => isFor(each, name));
  if (woken.length === 0)
    return fail("not_woken", sentence("outputs of {0} were not switched on by hand", quoted(name)));
  for (const { id: rule, at } of woken) {
    const done = await (await effects()).unwakeRule({ rule, at }, host);
    if (!done.ok) return done;
  }
  const text = `${t("Earlier outputs of {0} count again.", quoted(name))}\n`;
  return answer<OutputsJson>({ schema: 1, worksAgain: woken.map(({ id }) => id) }, text, invocation);
}

const maxLineLength = 60;

function listText(outputs: NonNullable<OutputsJson["outputs"]>, host: CliHost): string {
  if (outputs.length === 0) return `${t("No outputs are kept: none was shortened in the last week.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Output") },
    { title: t("When") },
    ...figures(t("Lines"), t("Bytes")),
    { title: t("Command"), maxWidth: maxLineLength, fit: "middle" },
  ];
  const rows = outputs.map(({ id, at, lines, bytes, line }) => [
    id,
    describeTime(at, host.now()),
    wholeNumber(lines),
    wholeNumber(bytes),
    cleanText(line),
  ]);
  return alignColumns(columns, rows, styleFor(host));
}
