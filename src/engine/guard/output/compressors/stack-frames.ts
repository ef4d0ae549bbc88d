import type { Compressor, OutputText } from "./compressor.ts";
import { kindOf, type Marks } from "./marks.ts";

const frames = kindOf("stack-frames", "line of library frames", "lines of library frames");

interface Frame {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly isOwn: boolean;
}

/** Stack traces of one language. */
interface Language {
  /** Occurs in every text with such frames. */
  readonly evidence: RegExp;
  readonly frameAt: (lines: OutputText["lines"], index: number) => Frame | null;
  /** The frame that raised the error. */
  readonly origin: "first" | "last";
}

const one = (index: number, isOwn: boolean): Frame => ({ from: index, to: index + 1, isOwn });

const javascript: Language = {
  evidence: /^[ \t]+at /mu,
  origin: "first",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (
      !/^\s+at (?:async |new )?\S/u.test(line) ||
      /^\s+at [\w.$/@]+\([^)]*\.(?:java|kt|scala)(?::\d+)?\)/u.test(line)
    )
      return null;
    if (/^\s+at (?:\/rustc\/|\.\/|[\w.]+\/.*\.rs:)/u.test(line) || !/[:)]\d*\)?|<anonymous>/u.test(line))
      return null;
    return one(index, !/node_modules\/|node:|<anonymous>\)|\(native\)/u.test(line));
  },
};

/** The stacks that node:test writes as YAML have no `at`. */
const nodeYaml: Language = {
  evidence: /node:internal\//u,
  origin: "first",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (!/^ {6,40}(?:async )?\S[\w.<> ]{0,100} \((?:file:\/\/|node:|\/).*:\d+:\d+\)$/u.test(line))
      return null;
    return one(index, !/node_modules\/|\(node:/u.test(line));
  },
};

const libraries =
  /^\s+at (?:[\w.@-]+\/)?(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:junit|apache\.maven|gradle|springframework|hibernate|mockito|testng|eclipse|codehaus)|reactor|io\.netty)\./u;

const java: Language = {
  evidence: /^[ \t]+at /mu,
  origin: "first",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (
      !/^\s+at (?:[\w.@-]+\/)?[\w.$<>]+\([^)]*\)/u.test(line) ||
      !/\((?:\w+\.\w+(?::\d+)?|Native Method|Unknown Source)\)/u.test(line)
    )
      return null;
    return one(index, !libraries.test(line));
  },
};

const python: Language = {
  evidence: / {2}File "/u,
  origin: "last",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (!/^\s+File "[^"]+", line \d+(?:, in |$)/u.test(line)) return null;
    const indent = line.indexOf("File");
    let to = index + 1;
    while (to < lines.length && to < index + 4 && (lines[to] ?? "").startsWith(" ".repeat(indent + 2)))
      to += 1;
    return { from: index, to, isOwn: !/site-packages|dist-packages|\/lib\/python\d|"<frozen /u.test(line) };
  },
};

const rust: Language = {
  evidence: /stack backtrace:/u,
  origin: "first",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (!/^ {1,5}\d+: +(?:0x[0-9a-f]+ - )?\S/u.test(line)) return null;
    const place = lines[index + 1] ?? "";
    const hasPlace = /^ {6,}at /u.test(place);
    const isLibrary =
      /^ +\d+: +(?:0x[0-9a-f]+ - )?<?(?:std|core|alloc|test|__rustc?|rust_begin|_{1,2}(?:libc|clone|start|GI))/u.test(
        line,
      ) ||
      /^ +\d+: +(?:0x[0-9a-f]+ - )?(?:main|_start|clone\d?|start_thread|<unknown>)$/u.test(line) ||
      /^ +at (?:\/rustc\/|.*\/\.cargo\/registry\/)/u.test(place);
    return { from: index, to: index + (hasPlace ? 2 : 1), isOwn: !isLibrary };
  },
};

const go: Language = {
  evidence: /^goroutine \d/mu,
  origin: "first",
  frameAt: (lines, index) => {
    const place = lines[index + 1] ?? "";
    if (!/^\t\S+\.(?:go|s):\d+/u.test(place) || !/^(?:created by )?\S+/u.test(lines[index] ?? ""))
      return null;
    const isLibrary = /\/go(?:-[\d.]+)?\/src\/|\/libexec\/src\/|\/pkg\/mod\//u.test(place);
    return { from: index, to: index + 2, isOwn: !isLibrary };
  },
};

const ruby: Language = {
  evidence: /:\d+:in /u,
  origin: "first",
  frameAt: (lines, index) => {
    const line = lines[index] ?? "";
    if (!/^\s+(?:\d+: )?from \S+:\d+:in /u.test(line)) return null;
    return one(index, !/\/gems\/|\/lib\/ruby\//u.test(line));
  },
};

const languages = [java, javascript, nodeYaml, python, rust, go, ruby];

/** Leaves out frames of libraries and of the language. Keeps the project's frames and the one that raised the error. */
export const stackFrames: Compressor = {
  runs: () => true,
  mark: ({ ends, lines }, marks) => {
    for (const language of languages) if (language.evidence.test(ends)) markStacks(lines, marks, language);
  },
};

function markStacks(lines: OutputText["lines"], marks: Marks, { frameAt, origin }: Language): void {
  let stack: Frame[] = [];
  const end = () => {
    const error = origin === "first" ? stack.at(0) : stack.at(-1);
    const hasOwn = stack.some(({ isOwn }) => isOwn);
    const shown = hasOwn || origin === "last" ? [error] : stack.slice(0, 3);
    for (const frame of stack) if (!frame.isOwn && !shown.includes(frame)) dropFrame(marks, frame);
    stack = [];
  };
  for (let index = 0; index < lines.length;) {
    const frame = frameAt(lines, index);
    if (frame === null) {
      if (stack.length > 0) end();
      index += 1;
    } else {
      stack.push(frame);
      index = frame.to;
    }
  }
  end();
}

function dropFrame(marks: Marks, { from, to }: Frame): void {
  marks.drop(from, frames);
  for (let index = from + 1; index < to; index += 1) marks.dropQuiet(index, frames);
}
