import { english } from "../../base/text/english.ts";
import * as z from "zod";

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const isSlug = english("small letters and digits, with single - between them");

/**
 * Control characters, invisible characters and lone surrogates: nothing that a person reading the file would
 * see.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const isSeen = (text: string) => !unseen.test(text.replaceAll(/[\n\t]/gu, ""));
const isOneLine = (text: string) => !unseen.test(text);
const hasUnseen = english("it has characters that can't be seen");

export const agentName = z.string().max(40).regex(slug, isSlug);

/** A file name in the task's own folder; no path can lead elsewhere. */
const patchName = z
  .string()
  .max(120)
  .regex(/^[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.patch$/u, english("the name of a .patch file in the same folder"));

/** Frontmatter of a golden task's file. */
export const taskFrontmatter = z.strictObject({
  id: z.string().max(80).regex(slug, isSlug),
  agent: agentName,
  title: z.string().trim().min(1).max(120).refine(isOneLine, hasUnseen),
  prompt: z
    .string()
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1)
        .max(4000)
        // An agent's program would parse it as an option.
        .refine((text) => !text.startsWith("-"), english("it begins with -"))
        .refine(isSeen, hasUnseen),
    ),
  check: z.string().trim().min(1).max(1000).refine(isOneLine, hasUnseen),
  weight: z.number().positive().max(100).default(1),
  solution: patchName.optional(),
  wrong: z.array(patchName).max(20).default([]),
});

/** Frontmatter of an agent's definition; further fields belong to the agent's program. */
export const agentFrontmatter = z.looseObject({
  name: agentName,
  description: z.string().trim().min(1).max(2000).refine(isSeen, hasUnseen),
  model: z.string().max(100).refine(isOneLine, hasUnseen).optional(),
  memory: z.enum(["user", "project", "local"]).optional(),
});

/** `fixture.json`: SHA-256 of each file of a suite's fixture. */
export const manifestFile = z.strictObject({
  schema: z.literal(1),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/u)),
});

/** `suite.json` of a workspace's own suite. */
export const suiteFile = z.strictObject({
  schema: z.literal(1),
  /** The fixture's folder, relative to `.purser/golden`. */
  fixture: z.string().min(1).max(400).default("fixture"),
  /** Whether the fixture's dependencies may run install scripts. */
  installScripts: z.boolean().default(false),
});
