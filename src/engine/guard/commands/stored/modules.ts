/** Maximum modules of one file. */
const maxModules = 8;

/** Names of Python's modules, and of those below them. */
const pythonImport =
  /^[ \t]*(?:from[ \t]+(?<from>[.\w]+)[ \t]+import\b|import[ \t]+(?<names>\w[\w., \t]*))/gmu;
/** Files that code runs as code. */
const runFile =
  /\b(?:run_path|exec\w*\s?\(\s?(?:compile\s?\(\s?)?open|execfile)\s?\(\s?["'](?<file>[^"'\n]{1,200})["']/gu;
/** Modules of JavaScript by a path. */
const scriptImport = /\b(?:require|import|from)\s?\(?\s?["'](?<file>\.{1,2}\/[^"'\n]{1,200})["']/gu;
const rubyImport = /^[ \t]*(?:require_relative|load)[ \t(]+["'](?<file>[^"'\n]{1,200})["']/gmu;

const endings = [".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts", ""];

/** Returns the possible files of each module of the project that code loads, named from its folder. */
export function modulesOf(code: string, interpreter: string): readonly (readonly string[])[] {
  const files = (call: RegExp) => [...code.matchAll(call)].flatMap(({ groups }) => groups?.["file"] ?? []);
  const found = /^(?:python|pypy)/u.test(interpreter)
    ? [...pythonModules(code), ...files(runFile).map((file) => [file])]
    : interpreter === "ruby"
      ? files(rubyImport).map((file) => [file, `${file}.rb`])
      : /^(?:node|nodejs|bun|deno|tsx|ts-node)$/u.test(interpreter)
        ? files(scriptImport).map((file) =>
            /\.[cm]?[jt]sx?$/u.test(file) ? [file] : endings.map((end) => file + end),
          )
        : [];
  return found.slice(0, maxModules);
}

function pythonModules(code: string): string[][] {
  const names = [...code.matchAll(pythonImport)].flatMap(({ groups }) =>
    (groups?.["from"] ?? groups?.["names"] ?? "").split(","),
  );
  return names.flatMap((name) => {
    const module = name.trim().split(/\s/u, 1)[0] ?? "";
    const dots = /^\.*/u.exec(module)?.[0].length ?? 0;
    const above = "../".repeat(Math.max(0, dots - 1));
    const file = above + module.slice(dots).replaceAll(".", "/");
    return file === "" || standard.has(file) ? [] : [[`${file}.py`, `${file}/__init__.py`]];
  });
}

/** Frequent modules of Python itself, for which no file is looked up. */
const standard = new Set(
  "os sys re json time subprocess shutil pathlib typing argparse logging datetime collections itertools functools math random io csv tempfile glob hashlib urllib threading asyncio dataclasses unittest enum copy abc contextlib string struct uuid socket signal traceback inspect warnings textwrap".split(
    " ",
  ),
);
