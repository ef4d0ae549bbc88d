import { ownValue } from "../../own-value.ts";
import { plainArgument, type Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";
import { textOf } from "../written-files.ts";
import { variablesIn } from "./hidden-code.ts";

/** A call of a database or cloud in code, as a command of its client. */
interface ClientCall {
  readonly program: string;
  readonly args: readonly Argument[];
}

/** Calls that pass a statement to a database, in many languages. */
const databaseCall =
  /(?:\.|->|::|\b)(?:\$?(?:execute|query)\w*|exec|unsafe|do|raw|run|prepare|batch|command|text|sql)\s*[(`]/u;
const statement =
  /^\s*(?:drop|truncate|delete|update|alter|grant|revoke|insert|create|reset|purge|set|shutdown|copy|begin|do|exec(?:ute)?)\s/iu;
/** The database and its host in the code that opens it. */
const opened =
  /(?:\b(?:connect|Database|createConnection|createPool|create_engine|createClient|Connection|Client|Pool|MongoClient|from_url|Redis|SQL|open|new)|\bnew\s+\w+)\s*\(\s*["'`]([^"'`\n]{1,300})["'`]/gu;
const named = /\b(?:dbname|database|db)["']?\s*(?:=>|[=:])\s*["']?([\w.-]{1,100})/gu;
const hosted = /\bhost["']?\s*(?:=>|[=:])\s*["']?([\w.-]{1,200})/gu;
/** Calls of object mappers that delete all rows. The matching group is the table. */
const allRows =
  /\.query\((\w+)\)\.delete\(\)|\b(\w+)\.objects\.(?:all\(\)\.)?delete\(\)|\b(\w+)\.objects\.all\(\)\.update\(|\b([A-Z]\w*)\.(?:unscoped\.|all\.)?(?:delete_all|destroy_all|truncate)\b|\.delete_all\(([\w.]+)\)|\(["'](\w+)["']\)(?:->|\.)(?:truncate|delete|del)\(\)|\[:(\w+)\]\.(?:delete|truncate)\b|\b(\w+)\.destroy\(\s*\{\s*(?:truncate|where:\s*\{\s*\})|\b(\w+)\.(?:deleteMany|delete_many)\(\s*(?:\{\s*\}\s*)?\)|\b(\w+)\.(?:drop_all|dropAllSchemas|drop_tables)\(/gu;
const mongo = /\b(?:dropDatabase|drop_database)\s*\(/u;
const redis = /\.(?:flushall|flushdb|flushAll|flushDb)\s*\(/u;
const amazonClient = /\b(?:client|resource)\(\s*["']([\w-]{1,40})["']|@aws-sdk\/client-([\w-]{1,40})/u;
const amazonCommand =
  /\b((?:Delete|Terminate|Purge|Deregister|Disable|Stop|Revoke|Modify)[A-Z]\w{1,60})Command\b/gu;
const clusterCall = /\.delete_(?:namespaced_|collection_namespaced_)?(\w{1,60})\(\s*["']?([\w-]{0,100})/gu;
const amazonCall =
  /\.((?:delete|terminate|purge|deregister|disable|stop|schedule|revoke|detach|put_bucket|put_public|modify)_\w{1,60})\(([^()]{0,300})/gu;
const amazonObjects = /\.objects(?:\.all\(\)|\.filter\([^)]{0,200}\))?\.delete\(/u;

const first = (text: RegExpMatchArray): string =>
  text.slice(1).find((group?: string) => group !== undefined) ?? "";

/** Returns the calls of databases and clouds in code. */
export function databaseCalls(code: string): ClientCall[] {
  const names = variablesIn(code);
  // Settings such as `dbname=shop host=db` are found by their names.
  const words = [...code.matchAll(opened)].map(first).filter((text) => !/^[^/]*=/u.test(text));
  const targets = [...words, ...[...code.matchAll(named)].map(first)];
  const hosts = [...code.matchAll(hosted)].map(first);
  // A variable may name a database for tests.
  const forTests = names.some((name) => /(?:^|_)TESTS?(?:_|$)/u.test(name)) ? ["of_test"] : [];
  const place = [
    ...[...targets, ...forTests].flatMap((text) => ["-d", text]),
    ...hosts.flatMap((text) => ["-h", text]),
  ].map(plainArgument);
  const given = names.map((name): Argument => ({ text: `$${name}`, isPattern: false, from: [`$${name}`] }));
  const sql = (text: string): ClientCall => ({
    program: "psql",
    args: [...place, plainArgument("-c"), plainArgument(text), ...given],
  });
  const statements = databaseCall.test(code)
    ? literalsIn(code).flatMap((text) => (statement.test(text) ? [sql(text)] : []))
    : [];
  const rows = [...code.matchAll(allRows)].map((match) =>
    sql(`DELETE FROM ${first(match).replaceAll(/[^\w.]/gu, "") || "rows"}`),
  );
  return [
    ...statements,
    ...rows,
    ...(mongo.test(code)
      ? [clientCall("mongosh", [...targets.slice(0, 1), "--eval", "db.dropDatabase()"])]
      : []),
    ...(redis.test(code)
      ? [clientCall("redis-cli", [...hosts.flatMap((host) => ["-h", host]), "flushall"])]
      : []),
    ...amazonCalls(code),
    ...otherCalls(code),
  ];
}

/** Libraries have a method or a class for each command of the client. */
function amazonCalls(code: string): ClientCall[] {
  const service = amazonClient
    .exec(code)
    ?.slice(1)
    .find((group?: string) => group !== undefined);
  if (service === undefined || !/\bboto3\b|@aws-sdk\//u.test(code)) return [];
  const own = service === "s3" ? "s3api" : service;
  const calls = [...code.matchAll(amazonCall)].map(([, name = "", words = ""]) =>
    clientCall("aws", [
      own,
      name.replaceAll("_", "-"),
      ...words.split(/[\s,]+/u).filter((word) => word !== ""),
    ]),
  );
  const commands = [...code.matchAll(amazonCommand)].map(([, name = ""]) =>
    clientCall("aws", [
      own,
      name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, "-").toLowerCase(),
    ]),
  );
  const objects = amazonObjects.test(code)
    ? [clientCall("aws", ["s3", "rm", "s3://bucket", "--recursive"])]
    : [];
  return [...calls, ...commands, ...objects];
}

/** Returns deletions by libraries of clusters, search engines and warehouses. */
function otherCalls(code: string): ClientCall[] {
  const cluster = /\bkubernetes\b/u.test(code)
    ? [...code.matchAll(clusterCall)].map(([, kind = "", name = ""]) =>
        clientCall("kubectl", ["delete", kind, name]),
      )
    : [];
  const search = /\.indices\.delete\(/u.test(code)
    ? [clientCall("curl", ["-X", "DELETE", "http://search.prod:9200/_all"])]
    : [];
  const warehouse = /\.delete_dataset\(/u.test(code) ? [clientCall("bq", ["rm", "-r", "-f", "dataset"])] : [];
  return [...cluster, ...search, ...warehouse];
}

const clientCall = (program: string, words: readonly string[]): ClientCall => ({
  program,
  args: words.map(plainArgument),
});

/** Maximum texts in quotes. */
const maxLiterals = 200;

/** Returns the texts in quotes, in one pass. Ignores unclosed quotes. */
function literalsIn(code: string): string[] {
  const found: string[] = [];
  const open = new Set<string>();
  for (let at = 0; at < code.length && found.length < maxLiterals; at += 1) {
    const quote = code[at] ?? "";
    if (quote === "\\") at += 1;
    if (!"\"'`".includes(quote) || open.has(quote)) continue;
    const end = endOfLiteral(code, at, quote);
    if (end === -1) open.add(quote);
    else {
      found.push(code.slice(at + 1, end).replaceAll(/\\(["'`])/gu, "$1"));
      at = end;
    }
  }
  return found;
}

function endOfLiteral(code: string, begin: number, quote: string): number {
  for (let at = begin + 1; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === quote) return at;
  }
  return -1;
}

/** Options of database clients for a file of statements. */
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
/** Clients with a command for a file instead. */
const others = new Set(["mysql", "mariadb", "mycli", "usql", "litecli", "sqlplus"]);
/** Commands of clients that read a file. */
const reading = /(?:^|[;\n])[ \t]*(?:source|\\\.|\.read|\\ir?|@)[ \t]*([^\s;'"]+)/giu;
/** Maximum files of one command. */
const maxFiles = 5;

/** Returns the known text of the files in a database client's arguments; null for none. */
export function databaseText(
  program: string,
  args: readonly Argument[],
  input: string | null,
  scope: Scope,
): string | null {
  const options = ownValue(fileOptions, program);
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
  if (named.length + read.length > maxFiles) scope.effort.leaveOut();
  const found = [...named, ...read].slice(0, maxFiles).flatMap((name) => textOf(scope, name) ?? []);
  return found.length === 0 ? null : found.join(";\n");
}
