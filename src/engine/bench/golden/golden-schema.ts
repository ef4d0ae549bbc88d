import { sentence } from "../../base/language.ts";
import * as z from "zod/mini";

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const isSlug = sentence("small letters and digits, with single - between them").text;

/**
 * Control characters, invisible characters and lone surrogates: nothing that a person reading the file would
 * see.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const isSeen = (text: string) => !unseen.test(text.replaceAll(/[\n\t]/gu, ""));
const isOneLine = (text: string) => !unseen.test(text);
const hasUnseen = sentence("it has characters that can't be seen").text;

export const agentName = z.string().check(z.maxLength(40), z.regex(slug, isSlug));

/** A file name in the task's own folder; no path can lead elsewhere. */
const patchName = z
  .string()
  .check(
    z.maxLength(120),
    z.regex(
      /^[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.patch$/u,
      sentence("the name of a .patch file in the same folder").text,
    ),
  );

/** SHA-1, or SHA-256 in a repository that uses it. */
const commitForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;

export const taskFrontmatter = z.strictObject({
  id: z.string().check(z.maxLength(80), z.regex(slug, isSlug)),
  agent: agentName,
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(120), z.refine(isOneLine, hasUnseen)),
  prompt: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.trim()),
    ),
    z.string().check(
      z.minLength(1),
      z.maxLength(4000),
      // An agent's program would parse it as an option.
      z.refine((text) => !text.startsWith("-"), sentence("it begins with -").text),
      z.refine(isSeen, hasUnseen),
    ),
  ),
  check: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000), z.refine(isOneLine, hasUnseen)),
  /** The project's commit that the task begins at; by default it begins with the suite's fixture. */
  base: z.optional(z.string().check(z.regex(commitForm, sentence("the 40 digits of a commit").text))),
  weight: z._default(z.number().check(z.positive(), z.maximum(100)), 1),
  solution: z.optional(patchName),
  wrong: z._default(z.array(patchName).check(z.maxLength(20)), []),
});

export const agentFrontmatter = z.looseObject({
  name: agentName,
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000), z.refine(isSeen, hasUnseen)),
  model: z.optional(z.string().check(z.maxLength(100), z.refine(isOneLine, hasUnseen))),
  memory: z.optional(z.enum(["user", "project", "local"])),
});

/** `fixture.json`: SHA-256 of each file of a suite's fixture. */
export const manifestFile = z.strictObject({
  schema: z.literal(1),
  files: z.record(z.string(), z.string().check(z.regex(/^[0-9a-f]{64}$/u))),
});

/** `suite.json` of a workspace's own suite. */
export const suiteFile = z.strictObject({
  schema: z.literal(1),
  /**
   * The fixture's folder, relative to `.purser/golden`; `fixture` by default. It may be missing if each task begins at a
   * commit.
   */
  fixture: z.optional(z.string().check(z.minLength(1), z.maxLength(400))),
  /** Whether the fixtures' dependencies may run install scripts. */
  installScripts: z._default(z.boolean(), false),
});
