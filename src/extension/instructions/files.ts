/** Whether a file by its name may be one that agents read by themselves: then it is worth loading what knows of their rent. */
export function isRentFile(path: string): boolean {
  return /(?:^|[\\/])(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|\.claude[\\/](?:rules|agents)[\\/].+\.md|skills[\\/].+[\\/]SKILL\.md)$/u.test(
    path,
  );
}

/** The same for the editor. */
export const rentPatterns = [
  "**/{CLAUDE,CLAUDE.local,AGENTS}.md",
  "**/.claude/{rules,agents}/**/*.md",
  "**/skills/**/SKILL.md",
];
