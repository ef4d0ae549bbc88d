import { FileTail } from "../../transcripts/file-tail.ts";

/** Returns a function that reads the new lines of all files. Each call looks up the files again. */
export function followFiles<File extends { readonly path: string }>(
  find: () => readonly File[],
  onLine: (line: Buffer, file: File) => boolean,
): () => void {
  const tails = new Map<string, FileTail>();
  return () => {
    for (const file of find()) {
      let tail = tails.get(file.path);
      if (tail === undefined) {
        tail = new FileTail(file.path, {
          // Lines that are read again do no harm: a response counts once, however often it is seen.
          onRestart: () => undefined,
          onLine: (line) => onLine(line, file),
          onOversized: () => undefined,
        });
        tails.set(file.path, tail);
      }
      tail.poll(Infinity);
    }
  };
}
