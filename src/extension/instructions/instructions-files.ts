/** Whether a file's name suggests that agents read it on their own, so that the rent code should be loaded. */
export function isRentFile(path: string): boolean {
  return /(?:^|[\\/])(?:CLAUDE(?:\.local)?\.md|\.purser[\\/]agents[\\/][^\\/]+\.md|AGENTS\.md|\.claude[\\/](?:rules|agents)[\\/].+\.md|skills[\\/].+[\\/]SKILL\.md)$/u.test(
    path,
  );
}

/** The same as glob patterns for the editor. */
export const rentPatterns = [
  "**/{CLAUDE,CLAUDE.local,AGENTS}.md",
  "**/.claude/{rules,agents}/**/*.md",
  "**/skills/**/SKILL.md",
  "**/.purser/agents/*.md",
];
