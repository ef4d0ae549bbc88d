import { ownValue } from "../own-value.ts";
import { type Argument, plainArgument } from "./invocation.ts";
import { decodes, hiddenSources, readsEnvironment, sends, variablesIn } from "./scripts/hidden-code.ts";
import { readAwk } from "./scripts/of-awk.ts";
import { withDecodedTexts, withOwnNames } from "./scripts/plain-code.ts";

/** An action of inline code, as the shell command that would do the same. */
interface InlineCall {
  readonly program: string;
  readonly args: readonly Argument[];
  /** Programs that wrote its input. */
  readonly from?: readonly string[];
  readonly runs?: readonly string[];
}

export interface InlineCode {
  /** Texts that the code passes to a shell. */
  readonly scripts: readonly string[];
  readonly calls: readonly InlineCall[];
}

/** Options of interpreters for code on the command line. */
const codeOptions: Readonly<Record<string, readonly string[]>> = {
  python: ["-c"],
  python2: ["-c"],
  python3: ["-c"],
  pypy: ["-c"],
  node: ["-e", "--eval", "-p", "--print", "-pe"],
  nodejs: ["-e", "--eval", "-p", "--print"],
  bun: ["-e", "--eval", "-p", "--print"],
  deno: ["eval"],
  perl: ["-e", "-E", "-ne", "-pe", "-le", "-lne", "-i"],
  ruby: ["-e", "-ne", "-pe"],
  php: ["-r"],
  lua: ["-e"],
  osascript: ["-e"],
  rscript: ["-e"],
  r: ["-e"],
  julia: ["-e", "--eval", "-E"],
  elixir: ["-e", "--eval"],
  groovy: ["-e"],
  mix: ["-e", "--eval"],
  erl: ["-eval"],
  emacs: ["--eval", "-eval", "--execute"],
  tclsh: [],
  expect: ["-c"],
  scala: ["-e"],
  crystal: ["eval"],
  bb: ["-e"],
};

/** Interpreters with code as their first operand. */
export const awks = new Set(["awk", "gawk", "mawk", "nawk"]);
const versions = /^(python|pypy|ruby|perl|php|lua)[\d.]+$/u;

/** Returns an interpreter's options for code; null for another program. */
export function codeOption(program: string): readonly string[] | null {
  const name = versions.exec(program)?.[1] ?? program;
  return ownValue(codeOptions, name) ?? null;
}

/** Tests whether an option of an interpreter takes code. */
export function takesCode(program: string, option: string): boolean {
  const options = codeOption(program);
  if (options === null) return false;
  if (options.includes(option)) return true;
  // The last of several letters takes the code: `-Ic` of Python, `-0777ne` of Perl.
  if (options.includes("-c")) return /^-[A-Za-z]{1,6}c$/u.test(option);
  return /^(?:perl|ruby)/u.test(program) && /^-\w{0,9}[eE]$/u.test(option);
}

/** Returns an interpreter's code on its command line or in its input; null for none. */
export function codeOf(program: string, args: readonly Argument[], input: string | null): string | null {
  if (awks.has(program)) return awkCode(args, input);
  if (codeOption(program) === null) return null;
  const codes = args.flatMap(({ text }, at) => {
    if (takesCode(program, text)) return args.slice(at + 1, at + 2);
    const attached = /^-[ce](?=[^-=]*[\s(;])/u.test(text) && takesCode(program, text.slice(0, 2));
    return attached ? [plainArgument(text.slice(2))] : [];
  });
  if (codes.length > 0) return codes.map(({ text }) => text).join("\n");
  const isFromInput = args.length === 0 || args[0]?.text === "-";
  return isFromInput ? input : null;
}

/** Options of awk that take the next word. */
const awkOptions = new Set(["-F", "-v", "--assign", "--field-separator"]);

function awkCode(args: readonly Argument[], input: string | null): string | null {
  const at = args.findIndex(({ text }) => text === "-f" || text === "--file");
  if (at !== -1) return /^(?:-|\/dev\/(?:stdin|fd\/0))$/u.test(args[at + 1]?.text ?? "") ? input : null;
  const code = args.find(
    ({ text }, index) => !text.startsWith("-") && !awkOptions.has(args[index - 1]?.text ?? ""),
  );
  return code?.text ?? null;
}

/** Returns the labels of an interpreter's output: inline code, and decoded texts. */
export function decodedSources(
  program: string,
  args: readonly Argument[],
  input: string | null,
): readonly string[] {
  if (codeOption(program) === null) return [];
  const code = codeOf(program, args, input);
  if (code === null || code.length > maxCodeLength) return [];
  return decodes(code) ? ["inline-code", "base64"] : ["inline-code"];
}

/** Calls that pass a text or a list of words to a shell or the system. */
const shellCall =
  /(?:\b(?:os\.execute|shell-command|call-process|System\.cmd|os:cmd|system|popen|exec|execSync|spawn|spawnSync|execFile|execFileSync|execvp|execl|execlp|execv|run|call|Command|check_call|check_output|shell_exec|passthru|getoutput|getstatusoutput|Popen|create_subprocess_(?:shell|exec)|capture2e?|capture3|popen2e?|popen3|proc_open|pcntl_exec|execve|execvpe|execlpe?|spawn[lv]p?e?|posix_spawnp?|execaCommand(?:Sync)?|execaSync|execa|ProcessBuilder)\b!?|\$|do shell script)\s*\(?\s*/gu;
/** Literals that are run: `%x(rm a)` of Ruby, `"rm a".execute()` of Groovy, `exec rm a` of Tcl. */
const runLiterals =
  /(?:%x|\bqx\s?)[({[]([^)}\]\n]{2,500})[)}\]]|(["'])([^"'\n]{2,500})\2\.execute\(\)|(?:^|[;\n{])[^\S\n]*(?:exec|spawn)\s+(?:-noecho\s+)?([a-z/][^\n;}"'(]{1,500})/gu;
/** Calls that delete a tree of files. */
const treeCall =
  /\b(?:rmtree|rm_rf|rm_r|remove_dir(?:_all)?|remove_tree|remove_entry(?:_secure)?|emptyDirSync|rimraf|RemoveAll)\b!?\s*\(?\s*(?:(?:Dir\.)?glob\b\s*\(?\s*)?/gu;
/** Calls that delete a file, or with an argument a tree. */
const removeCall =
  /\b(?:(?:rmSync|rmdirSync|rm|rmdir|unlinkSync|unlink|removeSync|remove|File\.delete)!?\s*\(|(?:unlink|File\.delete)\s)\s*(?:glob\b\s*\(?\s*)?/gu;
const recursively = /\brecursive\s*[:=]\s*(?:true|TRUE|True|1)/u;
/** Code that lists a folder, perhaps to delete its content. */
const listing =
  /\b(?:listdir|scandir|walk|i?glob|readdirSync|readdir|Dir\.(?:glob|children|each_child)|opendir|(?:Recursive)?DirectoryIterator)\s*[([]\s*/gu;
const pathListing = /(["'])([^"'\n]{1,300})\1\)?\.(?:rglob|glob|iterdir|walk)\(/gu;
const removing =
  /\b(?:remove|unlink|rmtree|rmSync|unlinkSync|rmdir|rm_rf|rm_r|delete)\s*\(|["']unlink["']\s*,/u;
/** Methods of a path that delete it, and Tcl's command. */
const treeOf =
  /(["'])([^"'\n]{1,300})\1\)?\.(?:rmtree|rm_rf|deleteDir|deleteRecursively)\b|\bfile\s{1,9}delete\s{1,9}(?:-force\s{1,9})?(?:--\s{1,9})?([^\s;\]}"']{1,300})/gu;
/** Calls that read a file. */
const readCall =
  /\b(?:open|readFileSync|readFile|File\.(?:read|open|binread)|IO\.read|file_get_contents|Bun\.file|readTextFile(?:Sync)?)\s?\(\s*/gu;
/** Perl's way to write to a shell. */
const openedShell = /\bopen\s{0,3}\(?[^;\n]{0,60}["']\|\s{0,3}(?:\/\w{1,20}){0,3}\/?(?:ba|z|da|k)?sh\b/u;
/** Calls that write a file. */
const writeCall =
  /\b(?:open|writeFileSync|writeFile|appendFileSync|truncateSync|file_put_contents)\s*\(\s*/gu;
/** Methods of a path that write the file. */
const pathWrite = /(["'])([^"'\n]{1,300})\1\)?\.(?:write_text|write_bytes|touch|unlink)\(/gu;
/** Maximum length of code that is read. Characters. */
export const maxCodeLength = 60_000;

/**
 * Finds the deletions, writes and shell calls of code, by its literals.
 * @param isProgram whether it is a stored program, in which decoding and sending something need not belong together
 */
export function readInlineCode(
  written: string,
  program = "",
  { isProgram }: { readonly isProgram: boolean } = { isProgram: false },
): InlineCode {
  if (written.length > maxCodeLength) return { scripts: [], calls: [] };
  if (awks.has(program)) {
    const { scripts, isPiped } = readAwk(written);
    const piped = { program: "sh", args: [], runs: ["awk"] };
    return { scripts: scripts.filter((text) => text.trim() !== ""), calls: isPiped ? [piped] : [] };
  }
  const code = withOwnNames(withDecodedTexts(withHomes(written)));
  const scripts = [...code.matchAll(shellCall)].flatMap((match) => {
    const words = literalsAt(code, match.index + match[0].length);
    const own = words === null ? [] : withoutOwnName(match[0], words);
    return own.length < 2 ? own : [own.map(quoted).join(" ")];
  });
  const backticks = [...code.matchAll(/`([^`\n]{2,500})`/gu)].flatMap(([, text]) =>
    text === undefined ? [] : [text],
  );
  const run = [...code.matchAll(runLiterals)].flatMap(
    ([, form, , literal, words]) => form ?? literal ?? words ?? [],
  );
  const deleting = (options: string) => (target: string) => ({
    program: "rm",
    args: [options, target].map(plainArgument),
  });
  const methods = [...code.matchAll(treeOf)].flatMap(([, , path, word]) => path ?? word ?? []);
  const trees = [...callsOf(code, treeCall, deleting("-rf")), ...methods.map(deleting("-rf"))];
  // A decoded text still counts as hidden.
  const runs = isProgram ? [] : [...hiddenSources(written), ...(openedShell.test(code) ? ["awk"] : [])];
  const hidden: InlineCall[] = runs.length === 0 ? [] : [{ program: "eval", args: [], runs }];
  const isMail = !isProgram && mailCall.test(code) && !/localhost|127\.0\.0\.1|mailhog|mailpit/u.test(code);
  const mail: InlineCall[] = isMail ? [{ program: "mail", args: [plainArgument("unknown@unknown")] }] : [];
  const sent = [...(!isProgram && sends(code) ? sentBy(code) : []), ...mail];
  const removes = [...code.matchAll(removeCall)].flatMap((match): InlineCall[] => {
    const at = match.index + match[0].length;
    const [first, second] = literalsAt(code, at) ?? [];
    // shelljs has the options of rm.
    if (first?.startsWith("-") === true && second !== undefined) return [deleting(first)(second)];
    const target = first ?? /^<([^>\n]{1,200})>/u.exec(code.slice(at, at + 210))?.[1];
    if (target === undefined) return [];
    const isTree = recursively.test(code.slice(at, at + 300));
    return [deleting(isTree ? "-rf" : "-f")(target)];
  });
  // In a project these may be a few files; in the system or a home it is too much anyway.
  const found = [...code.matchAll(pathListing)].flatMap(([, , folder]) => folder ?? []);
  const listed = removing.test(code)
    ? [...callsOf(code, listing, deleting("-rf")), ...found.map(deleting("-rf"))].filter(({ args }) =>
        /^[/~]/u.test(args[1]?.text ?? ""),
      )
    : [];
  const writes = [...code.matchAll(writeCall)].flatMap((match): InlineCall[] => {
    const at = match.index + match[0].length;
    const target = literalsAt(code, at)?.[0];
    const isOpen = match[0].startsWith("open");
    const isWrite = !isOpen || /^[^)]*,\s*(?:mode\s*=\s*)?["'][wax+b]*[wax]/u.test(code.slice(at, at + 200));
    return target === undefined || !isWrite ? [] : [{ program: "tee", args: [plainArgument(target)] }];
  });
  const pathWrites = [...code.matchAll(pathWrite)].flatMap(([, , target]) =>
    target === undefined ? [] : [{ program: "tee", args: [plainArgument(target)] }],
  );
  const given = looksLikeShell(code) ? [...scripts, ...run, ...backticks] : [...scripts, ...run];
  return {
    scripts: given.filter((text) => text.trim() !== ""),
    calls: [...trees, ...removes, ...listed, ...writes, ...pathWrites, ...hidden, ...sent],
  };
}

/** Calls with a program and its words, which begin with its name again. */
const namedTwice = /\b(?:exec[lv]p?e?|execve|spawn[lv]p?e?|posix_spawnp?)\b/u;

function withoutOwnName(call: string, words: readonly string[]): readonly string[] {
  const [program = "", name] = words;
  const isTwice = name !== undefined && namedTwice.test(call) && program.endsWith(name);
  return isTwice ? [program, ...words.slice(2)] : words;
}

/** Maximum addresses in code. */
const maxAddresses = 10;
/** A request that changes something. */
const requestVerb = /\.(post|put|patch|delete)\s?\(|\bmethod["']?\s?[:=]\s?["'](post|put|patch|delete)/iu;
/** Calls that send mail. */
const mailCall =
  /\bsmtplib\.SMTP|\.sendMail\(|\bsend_mail\(|\bMail::(?:to|send|raw)\b|\.deliver_now\b|\bNet::SMTP\b/u;

/** Returns what code sends to another machine, as the commands that would do the same. */
function sentBy(code: string): InlineCall[] {
  const files = callsOf(code, readCall, (path) => ({
    program: "curl",
    args: ["-T", path, "https://unknown"].map(plainArgument),
  }));
  const addresses = [...code.matchAll(/https?:\/\/[^\s"'`)]{1,300}/gu)].map(([text]) => plainArgument(text));
  const variables = variablesIn(code).map((name): Argument => ({ ...plainArgument(""), from: [`$${name}`] }));
  const named: InlineCall[] =
    addresses.length === 0 || variables.length === 0
      ? []
      : [{ program: "curl", args: [...addresses, ...variables] }];
  const [, call, method] = requestVerb.exec(code) ?? [];
  const verb = call ?? method;
  const requests = (verb === undefined ? [] : addresses.slice(0, maxAddresses)).map(
    (address): InlineCall => ({
      program: "curl",
      args: [plainArgument("-X"), plainArgument(verb?.toUpperCase() ?? ""), address],
    }),
  );
  const all: InlineCall[] = readsEnvironment(code) ? [{ program: "curl", args: [], from: ["env"] }] : [];
  return [...files, ...named, ...requests, ...all];
}

/** Expressions for the home folder. */
const homes =
  /(?:\b(?:std::)?env::var\("HOME"\)(?:\.unwrap\(\)|\?)?|\bprocess\.env\.HOME|\bprocess\.env\[["']HOME["']\]|\bos\.environ(?:\[["']HOME["']\]|\.get\(["']HOME["']\))|\bENV(?:\[["']HOME["']\]|\.fetch\(["']HOME["']\))|\$ENV\{["']?HOME["']?\}|\b(?:os\.)?[gG]etenv\(["']HOME["']\)|\bBun\.env\.HOME|\bDeno\.env\.get\(["']HOME["']\)|(?:\brequire\(["'](?:node:)?os["']\)|\bos)\.homedir\(\)|\bhomedir\(\)|\b(?:pathlib\.)?Path\.home\(\)|\bDir\.home\b|\bSystem\.user_home!?(?:\(\))?)!?/gu;
/** Perl's home folder within a text. */
const homeInText = /(?<=["'])\$ENV\{HOME\}|(?<=\s)\$ENV\{HOME\}(?=["'/])/gu;
/** Functions that return the path in their first argument in another form. */
const wrapping =
  /\b(?:os\.path\.(?:expanduser|abspath|realpath)|(?:pathlib\.)?Path|File\.expand_path)\(\s*(?=["'])|\b(?:shlex\.split|Shellwords\.split)\(\s*(?=["'\w])/gu;
/** Functions that join parts of a path. */
const joining = /\b(?:os\.path\.join|path\.join|path\.resolve|File\.join|join)\(\s*(?=["'][~/])/gu;

/** Go's home folder, which comes with an error. */
const goHome = /\b(\w{1,40})(?:,\s{0,3}\w{1,40})?\s{0,3}:?=\s{0,3}os\.UserHomeDir\(\)/gu;

/** Rust's words of a command, each in a call: `Command::new("rm").arg("-rf")`. */
const rustCommand = /\bCommand::new\(/gu;
const rustArguments = /(?<=["\]])\)\s{0,20}\.args?\(\s{0,5}&?\[?(?=["'])/gu;

/** Writes expressions for the home folder as literals, so that paths below it are literals too. */
function withHomes(code: string): string {
  return code
    .replaceAll(goHome, '$1 = "~"')
    .replaceAll(rustArguments, ", ")
    .replaceAll(rustCommand, "Command(")
    .replaceAll(homeInText, "~")
    .replaceAll(homes, '"~"')
    .replaceAll(/[$#]?\{\s{0,9}"~"\s{0,9}\}/gu, "~")
    .replaceAll(wrapping, "")
    .replaceAll(joining, "")
    .replaceAll(
      /(["'])(~[^"'\n]{0,200})\1\s*(?:\+|,|\/)\s*(["'])([^"'\n]{0,200})\3/gu,
      (_all, _one, first: string, _two, second: string) =>
        JSON.stringify(`${first}/${second.replace(/^\//u, "")}`),
    );
}

/** Backticks run commands in Perl, Ruby and PHP; in other languages they quote text. */
const looksLikeShell = (code: string): boolean => !/\b(?:const|let|require|console|import)\b/u.test(code);

function callsOf(code: string, call: RegExp, make: (target: string) => InlineCall): InlineCall[] {
  return [...code.matchAll(call)].flatMap((match) => {
    const target = literalsAt(code, match.index + match[0].length)?.[0];
    return target === undefined ? [] : [make(target)];
  });
}

/** Returns the string literals at a place: one, or those of a list; null for none. */
function literalsAt(code: string, begin: number): string[] | null {
  let at = begin;
  const isList = code[at] === "[" || code[at] === "(";
  if (isList) at += 1;
  const found: string[] = [];
  for (;;) {
    while (/[\s,]/u.test(code[at] ?? "")) at += 1;
    const literal = literalAt(code, at);
    if (literal === null) break;
    found.push(literal.text);
    at = literal.end;
    if (!isList) {
      // spawn("rm", ["-rf", "/"]) and system("rm", "-rf", "/") continue with their words.
      const more = /^\s*,\s*(?:\{\s*args\s*:\s*)?\[?/u.exec(code.slice(at, at + 20));
      if (more === null) break;
      at += more[0].length;
    }
  }
  return found.length === 0 ? null : found;
}

function literalAt(code: string, begin: number): { readonly text: string; readonly end: number } | null {
  const prefix = /^[rbfuRBFU]{0,2}(?=["'`])/u.exec(code.slice(begin, begin + 3))?.[0].length ?? 0;
  const quote = code[begin + prefix];
  if (quote !== '"' && quote !== "'" && quote !== "`") return null;
  let text = "";
  for (let at = begin + prefix + 1; at < code.length; at += 1) {
    const char = code[at];
    if (char === quote) return { text, end: at + 1 };
    if (char === "\\") at += 1;
    text += code[at] ?? "";
  }
  return null;
}

function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
