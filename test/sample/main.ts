/**
 * `npm run generate -- sample`: tells the sample's story anew and packs it into `media/sample.json.br`. The same sources give the same sample. With
 * `--check` it only says whether the packed one is up to date.
 */
import { realpathSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { makeSample } from "./make.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const file = path.join(repository, "media/sample.json.br");
const most = 100_000; // bytes

process.exitCode = await main(process.argv.includes("--check"));

async function main(isCheck: boolean): Promise<number> {
  const ends: (() => unknown)[] = [];
  const after = (end?: unknown) => {
    if (typeof end === "function") ends.unshift((): unknown => Reflect.apply(end, undefined, []));
  };
  let text: string;
  try {
    text = JSON.stringify(await makeSample({ after }));
  } finally {
    for (const end of ends) await end();
  }
  for (const folder of [path.join(realpathSync(tmpdir()), "purser-"), repository])
    if (text.includes(folder)) throw new Error(`a path of this machine is in the sample: ${folder}`);
  if (isCheck) {
    const isSame = brotliDecompressSync(await readFile(file)).toString("utf8") === text;
    console.log(
      isSame ? "The sample is up to date." : "The sample's sources have changed: npm run generate -- sample",
    );
    return isSame ? 0 : 1;
  }
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const packed = brotliCompressSync(text, {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: text.length },
  });
  if (packed.length > most) {
    console.error(`The sample weighs ${packed.length} bytes; at most ${most} are allowed.`);
    return 1;
  }
  await writeFile(file, packed);
  console.log(`${file}: ${packed.length} bytes, ${text.length} unpacked`);
  return 0;
}
