import type { Options } from "./read-options.ts";

/** Words that a database made for tests has in its name. */
const testing = /^(?:tests?|testing|e2e|scratch)[_.-]|[_./-](?:tests?|testing|e2e|scratch)(?:[_.-]|\d*$)/iu;
/** Places of files that nobody keeps. */
const passing = /^(?::memory:|\/tmp\/|\/var\/tmp\/|\/private\/tmp\/|\/dev\/shm\/)/u;
/** Other machines than this, its containers and its neighbours in a composed network. */
const far = /\.|prod|live|staging/iu;
const near = /^(?:localhost|127\.0\.0\.1|::1|\[::1\]|0\.0\.0\.0|host\.docker\.internal)?$/u;

const isNear = (host: string): boolean => near.test(host) || !far.test(host);

/** Tests whether a database's address, name or file says that it is made for tests, and is not on another machine. */
export function isTestDatabase(text: string): boolean {
  const file = text.replace(/^(?:sqlite3?|file|duckdb):(?:\/\/)?/u, "");
  if (passing.test(file)) return true;
  const address = /^[a-z][\w+.]*:(?:[\w+]+:)?\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^/:?]*)(?::\d+)?\/([^?]*)/iu.exec(
    file,
  );
  if (address !== null) return isNear(address[1] ?? "") && testing.test(address[2] ?? "");
  return !/[\s=]/u.test(file) && testing.test(file);
}

/** Options that name the database, and the host, of clients of databases. */
const databaseOptions = ["-d", "--dbname", "-D", "--database", "--db", "--uri", "--url", "--db-url"];
const hostOptions = ["-h", "--host", "-S", "-H"];
/** Clients whose first operand is the database. */
const namedFirst =
  /^(?:psql|pgcli|mysql|mariadb|mycli|sqlite3|litecli|duckdb|mongosh|mongo|mongorestore|pg_restore|usql)$/u;

/** Tests whether a client of databases is told to work on one that is made for tests. */
export function namesTestDatabase(program: string, { values, operands }: Options): boolean {
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => values.get(name) ?? []).map(({ text }) => text);
  if (!valuesOf(hostOptions).every(isNear)) return false;
  const [first] = operands;
  const names = valuesOf(databaseOptions);
  if (names.length === 0 && first !== undefined && namedFirst.test(program)) names.push(first.text);
  return names.length > 0 && names.every(isTestDatabase);
}

/** Variables that say in which stage of its life an application runs. */
const stages =
  /^(?:RAILS|RACK|NODE|APP|MIX|FLASK|DJANGO|HANAMI|SYMFONY|ASPNETCORE|DOTNET|GO|DB|LARAVEL)?_?ENV(?:IRONMENT)?$/u;
/** Variables that name the database. */
const databases = /^(?:\w+_)?(?:DATABASE|DB|POSTGRES|MYSQL|PG|MONGO|MONGODB)_?(?:URL|URI|NAME|DATABASE|DB)$/u;

/**
 * Tests whether an environment says that its programs work on a database made for tests: by its stage, or by the database that it names.
 * Where the two contradict, it does not.
 * @param variables pairs of a name and a value
 */
export function isTestEnvironment(variables: Iterable<readonly [string, string]>): boolean {
  let isFound = false;
  for (const [name, value] of variables) {
    const isStage = stages.test(name);
    if (!isStage && !databases.test(name)) continue;
    const isTest = isStage ? /^(?:tests?|testing|ci|e2e)$/iu.test(value) : isTestDatabase(value);
    if (!isTest) return false;
    isFound = true;
  }
  return isFound;
}
