import type { Argument } from "./invocation.ts";
import { plainArgument } from "./invocation.ts";

/** A deed of inline code, as the shell command that would do the same. */
interface InlineCall {
  readonly program: string;
  readonly args: readonly Argument[];
}

export interface InlineCode {
  /** Texts that the code gives to a shell. */
  readonly scripts: readonly string[];
  readonly calls: readonly InlineCall[];
}

/** Options with which interpreters take code from their command line. */
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
};

/** Interpreters whose code is their first operand. */
const firstOperand = new Set(["awk", "gawk", "mawk", "nawk"]);
const versions = /^(python|pypy|ruby|perl|php|lua)[\d.]+$/u;

/** Returns the options with which an interpreter takes code; null for another program. */
export function codeOption(program: string): readonly string[] | null {
  const name = versions.exec(program)?.[1] ?? program;
  return Object.hasOwn(codeOptions, name) ? (codeOptions[name] ?? null) : null;
}

/** Tests whether an option of an interpreter takes code. */
export function takesCode(program: string, option: string): boolean {
  return codeOption(program)?.includes(option) === true || (program === "ruby" && /^-[a-z]*e$/u.test(option));
}

/** Returns the code that an interpreter is given on its command line or as its input; null for none. */
export function codeOf(program: string, args: readonly Argument[], input: string | null): string | null {
  if (firstOperand.has(program)) return args.find(({ text }) => !text.startsWith("-"))?.text ?? null;
  const options = codeOption(program);
  if (options === null) return null;
  const at = args.findIndex(({ text }) => options.includes(text));
  if (at !== -1) return args[at + 1]?.text ?? null;
  const isFromInput = args.length === 0 || args[0]?.text === "-";
  return isFromInput ? input : null;
}

/** Calls that give a text, or a list of words, to a shell or to the system. */
const shellCall =
  /(?:\b(?:system|popen|exec|execSync|spawn|spawnSync|execFile|execFileSync|execvp|execl|execlp|execv|run|call|check_call|check_output|shell_exec|passthru|getoutput|getstatusoutput|Popen)\b|\$|do shell script)\s*\(?\s*/gu;
/** Calls that delete a tree of files. */
const treeCall =
  /\b(?:rmtree|rm_rf|rm_r|remove_dir_all|remove_tree|remove_entry_secure|removeSync|emptyDirSync|rimraf)\s*\(?\s*/gu;
/** Calls of Node that delete, recursively where they are told so. */
const nodeCall = /\b(?:rmSync|rmdirSync|rm|rmdir|unlinkSync)\s*\(\s*/gu;
/** Calls that write a file. */
const writeCall =
  /\b(?:open|writeFileSync|writeFile|appendFileSync|truncateSync|file_put_contents|write_text)\s*\(\s*/gu;
/** Code longer than this is not looked into. Characters. */
const longestCode = 60_000;

/** Finds in code what it deletes, writes, or gives to a shell, as far as literals say it. */
export function readInlineCode(code: string): InlineCode {
  if (code.length > longestCode) return { scripts: [], calls: [] };
  const scripts = [...code.matchAll(shellCall)].flatMap((match) => {
    const words = literalsAt(code, match.index + match[0].length);
    return words === null ? [] : [words.length === 1 ? (words[0] ?? "") : words.map(quoted).join(" ")];
  });
  const backticks = [...code.matchAll(/`([^`\n]{2,500})`/gu)].flatMap(([, text]) =>
    text === undefined ? [] : [text],
  );
  const trees = callsOf(code, treeCall, (target) => ({
    program: "rm",
    args: ["-rf", target].map(plainArgument),
  }));
  const node = [...code.matchAll(nodeCall)].flatMap((match): InlineCall[] => {
    const at = match.index + match[0].length;
    const target = literalsAt(code, at)?.[0];
    if (target === undefined) return [];
    const isTree = /recursive\s*:\s*true/u.test(code.slice(at, at + 300));
    return [{ program: "rm", args: [isTree ? "-rf" : "-f", target].map(plainArgument) }];
  });
  const writes = [...code.matchAll(writeCall)].flatMap((match): InlineCall[] => {
    const at = match.index + match[0].length;
    const target = literalsAt(code, at)?.[0];
    const isOpen = match[0].startsWith("open");
    const isWrite = !isOpen || /^[^)]*,\s*(?:mode\s*=\s*)?["'][wax+b]*[wax]/u.test(code.slice(at, at + 200));
    return target === undefined || !isWrite ? [] : [{ program: "tee", args: [plainArgument(target)] }];
  });
  const given = looksLikeShell(code) ? [...scripts, ...backticks] : scripts;
  return { scripts: given.filter((text) => text.trim() !== ""), calls: [...trees, ...node, ...writes] };
}

/** Backticks run commands in Perl, Ruby and PHP; in other languages they quote text. */
const looksLikeShell = (code: string): boolean => !/\b(?:const|let|require|console|import)\b/u.test(code);

function callsOf(code: string, call: RegExp, make: (target: string) => InlineCall): InlineCall[] {
  return [...code.matchAll(call)].flatMap((match) => {
    const target = literalsAt(code, match.index + match[0].length)?.[0];
    return target === undefined ? [] : [make(target)];
  });
}

/** Returns the string literals at a place: one, or those of a list. Null where something else stands there. */
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
      // spawn("rm", ["-rf", "/"]) and system("rm", "-rf", "/") go on with their words.
      const more = /^\s*,\s*\[?/u.exec(code.slice(at, at + 20));
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
