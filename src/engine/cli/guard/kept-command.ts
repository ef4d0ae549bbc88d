import { t } from "../../base/text/l10n.ts";
import { wholeNumber } from "../../base/text/local-format.ts";
import { cleanText } from "../../base/text/text.ts";
import { purserPaths } from "../../base/disk/home.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import { restingIn, withoutRest } from "../../guard/output/back-off.ts";
import { linesOf } from "../../guard/output/output-handler.ts";
import { KeptFiles } from "../../guard/host/outputs/kept-files.ts";
import { changeUses, readUses } from "../../guard/host/outputs/use-file.ts";
import { parseOptions, quoted } from "../args.ts";
import { describeTime } from "../describe-time.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { usageError } from "../subcommands.ts";
import { alignColumns, type Column } from "../table.ts";
import type { KeptOutputsJson } from "./kept-schema.ts";
import { printHelp } from "../help.ts";
import { said } from "../language/said.ts";

const help = `purser output: the originals of outputs that were shortened before an agent got them

  purser output                     list what is kept, newest first
  purser output ID [--lines A-B]    print one, or some of its lines
  purser output on COMMAND          shorten the outputs of a command, such as "npm test", again

  --lines A-B  first and last line, counted from 1: 20-80, 20- or 20
  --json       print JSON (schema: media/schemas/output.schema.json)
  --help       print this help

Outputs are shortened while the guard family output is on: purser guard on --family output. Originals are kept for a week in
~/.purser/outputs, up to 200 MB in total. If agents often ask for the originals of a command, its outputs are no longer shortened;
purser guard status lists these commands.
`;

const specs = { lines: { value: "the first and the last line: 20-80" }, json: {}, help: {} };

export const keptOutputsCommand: Command = {
  help,
  syntax: { options: specs, subcommands: { on: { options: {} } } },
  run: async (argv, host) => {
    const option = argv.findIndex((word) => word.startsWith("-"));
    const words = option === -1 ? argv : argv.slice(0, option);
    const options = parseOptions(argv.slice(words.length), specs);
    if (!options.ok) return usageError("output", options.detail, host);
    if (options.value.has("help")) {
      printHelp(help, host);
      return 0;
    }
    const asked = { words, lines: options.value.value("lines"), isJson: options.value.has("json") };
    const done = await answer(asked, host);
    if (done.ok) return 0;
    if (done.reason === "bad_argument") return usageError("output", said(done.detail), host);
    host.stderr.write(`purser output: ${said(done.detail)}\n`);
    return 1;
  },
};

interface Asked {
  readonly words: readonly string[];
  readonly lines: string | undefined;
  readonly isJson: boolean;
}

async function answer({ words, lines, isJson }: Asked, host: CliHost): Promise<Result<void>> {
  const [first, ...rest] = words;
  const print = (json: KeptOutputsJson, text: () => string) => {
    host.stdout.write(isJson ? `${printedJson(json, 2)}\n` : text());
    return succeed(undefined);
  };
  const paths = purserPaths(host);
  if (first === "on") return wake(rest.join(" "), paths.outputUses, print);
  if (rest.length > 0) return fail("bad_argument", t("unexpected argument {0}", quoted(rest[0] ?? "")));
  const files = new KeptFiles({ folder: paths.outputs, now: () => host.now() });
  if (first === undefined) {
    if (lines !== undefined) return fail("bad_argument", t("--lines needs an ID"));
    const outputs = [...(await files.list())];
    return print({ schema: 1, outputs }, () => listText(outputs, host));
  }
  const range = rangeIn(lines);
  if (!range.ok) return range;
  const read = await files.read(first);
  if (!read.ok) return read;
  const { head, text } = read.value;
  const part = partOf(text, range.value);
  if (part === null)
    return fail(
      "bad_argument",
      t("--lines {0}: it has {1} lines", quoted(lines ?? ""), wholeNumber(head.lines)),
    );
  const json: KeptOutputsJson = { schema: 1, output: { ...head, from: range.value?.from ?? 1, text: part } };
  const shown =
    host.stdout.isTTY === true
      ? linesOf(part)
          .map((line) => cleanText(line))
          .join("\n")
      : part;
  return print(json, () => (shown.endsWith("\n") ? shown : `${shown}\n`));
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
  return fail(
    "bad_argument",
    t("--lines {0} is not a range of lines such as 20-80, 20- or 20", quoted(text)),
  );
}

/** Returns the requested lines; null if there are none. */
function partOf(text: string, range: LineRange | null): string | null {
  if (range === null) return text;
  const lines = linesOf(text).slice(range.from - 1, range.to);
  return lines.length === 0 ? null : `${lines.join("\n")}\n`;
}

function wake(
  command: string,
  file: string,
  print: (json: KeptOutputsJson, text: () => string) => Result<void>,
): Result<void> {
  const resting = restingIn(readUses(file));
  const woken = resting.filter((each) => each.command === command);
  if (woken.length === 0) {
    const known = [...new Set(resting.map((each) => quoted(each.command)))].join(", ");
    return fail(
      "not_resting",
      known === ""
        ? t("outputs of {0} are shortened already; no command is excluded", quoted(command))
        : t("outputs of {0} are shortened already; excluded are: {1}", quoted(command), known),
    );
  }
  const done = changeUses(file, (uses) => withoutRest(uses, command));
  if (!done.ok) return done;
  const worksAgain = woken.map(({ compressor }) => compressor);
  return print(
    { schema: 1, worksAgain },
    () => `${t("Outputs of {0} are shortened again.", quoted(command))}\n`,
  );
}

const maxLineLength = 60;

function listText(outputs: NonNullable<KeptOutputsJson["outputs"]>, host: CliHost): string {
  if (outputs.length === 0) return `${t("No outputs are kept: none was shortened in the last week.")}\n`;
  const columns: readonly Column[] = [
    { title: t("Output") },
    { title: t("When") },
    { title: t("Lines"), isFigure: true },
    { title: t("Bytes"), isFigure: true },
    { title: t("Command"), most: maxLineLength, fit: "middle" },
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
