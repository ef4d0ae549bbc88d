import type { Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { textOf } from "../written-files.ts";

/** Options with which clients of databases take a file of statements. */
const fileOptions: Readonly<Record<string, readonly string[]>> = {
  psql: ["-f", "--file"],
  pgcli: ["-f", "--file"],
  ysqlsh: ["-f", "--file"],
  sqlcmd: ["-i", "--input-file"],
  cqlsh: ["-f", "--file"],
  snowsql: ["-f", "--filename"],
  snow: ["-f", "--filename"],
  hive: ["-f"],
  beeline: ["-f"],
  trino: ["-f", "--file"],
  presto: ["-f", "--file"],
  "spark-sql": ["-f"],
  duckdb: ["-init", "-f"],
  sqlite3: ["-init"],
  wrangler: ["--file"],
  prisma: ["--file"],
  cockroach: ["-f", "--file"],
  "clickhouse-client": ["--queries-file"],
  clickhouse: ["--queries-file"],
};
/** Clients without such an option, which take a file by a command of their own. */
const others = new Set(["mysql", "mariadb", "mycli", "usql", "litecli", "sqlplus"]);
/** Commands of clients that read a file of statements. */
const reading = /(?:^|[;\n])[ \t]*(?:source|\\\.|\.read|\\ir?|@)[ \t]*([^\s;'"]+)/giu;
/** Files of one command that are read. */
const mostFiles = 5;

/** Returns the text of the files that a database client's arguments name, as far as it is known; null for none. */
export function databaseText(
  program: string,
  args: readonly Argument[],
  input: string | null,
  scope: Scope,
): string | null {
  const options = Object.hasOwn(fileOptions, program) ? fileOptions[program] : undefined;
  if (options === undefined && !others.has(program)) return null;
  const texts = args.map(({ text }) => text);
  const named = texts.flatMap((text, at) => {
    if (options?.includes(text) === true) return texts.slice(at + 1, at + 2);
    const joined = options?.find((each) => text.startsWith(each.startsWith("--") ? `${each}=` : each));
    return joined === undefined ? [] : [text.slice(joined.length).replace(/^=/u, "")];
  });
  const read = [...texts, input ?? ""].flatMap((text) =>
    Array.from(text.matchAll(reading), ([, name = ""]) => name),
  );
  if (named.length + read.length > mostFiles) scope.effort.leaveOut();
  const found = [...named, ...read].slice(0, mostFiles).flatMap((name) => textOf(scope, name) ?? []);
  return found.length === 0 ? null : found.join(";\n");
}
