/** Calls that decode a text. */
const decoding =
  /\bb(?:64|32|16|85)decode\b|\bdecode_base64\b|\bbase64_decode\b|["']base64["']|\bunpack1?\s?\(\s?["']m|\batob\(|["']rot_?13["']|\bunhexlify\b|\bfromhex\b|\bhex2bin\b|\bzlib\.decompress\b|\bgzinflate\b|\bgzuncompress\b|\bstr_rot13\b|\bmarshal\.loads\b|["']hex["']/u;
const evaluating =
  /(?<![.\w])(?:exec|eval|assert)\b|\bnew Function\b|(?<![.\w])Function\(|\b(?:instance|class)_eval\b|\brunIn(?:This|New)?Context\b|\b__builtins__\b/u;
const fetching =
  /\b(?:requests\.\w+|urlopen|urlretrieve|httpx\.\w+|fetch|https?\.(?:request|get)|axios(?:\.\w+)?|got|sendto|curl_exec)\s?\(|\bhttp\.client\b|\bNet::HTTP\b|\bHTTParty\b|\bRestClient\b|\bURI\.open\b|\bHTTP::Tiny\b|\bLWP\b|\bget\s?\(\s?["']https?:|\bfile_get_contents\(\s?["']https?:/u;
const imported = /\bimport\s?\(?\s?["'](data:|https?:)/u;
const near = /localhost|127\.0\.0\.1|\[::1\]/u;
/** The whole environment. */
const environment =
  /\bprocess\.env\b(?![.[\w])|\bos\.environ\b(?!\s?[.[]\s?(?:get|["']|[A-Z_]))|\bENV\.(?:to_h|to_a|inspect|map)\b|\$_ENV\b(?!\[)|[%\\]ENV\b|\bgetenv\(\s?\)|\bDeno\.env\.toObject\b|\bBun\.env\b(?![.[\w])/u;

/** Returns labels of code that runs decoded or downloaded texts: `base64` and `curl`. */
export function hiddenSources(code: string): readonly string[] {
  const by = imported.exec(code)?.[1];
  const isRun = evaluating.test(code);
  const isDecoded = by === "data:" || (isRun && decodes(code));
  const isFetched = by?.startsWith("http") === true || (isRun && sends(code));
  return [...(isDecoded ? ["base64"] : []), ...(isFetched ? ["curl"] : [])];
}

export const decodes = (code: string): boolean => decoding.test(code);

/** Tests whether code connects to another machine. */
export const sends = (code: string): boolean => fetching.test(code) && !near.test(code);

export const readsEnvironment = (code: string): boolean => environment.test(code);

/** Environment variables in the code of many languages. */
const variables =
  /\b(?:process\.env\.|process\.env\[["']|os\.environ(?:\.(?=[A-Z_])|\[["'])|environ\.get\(["']|getenv\(["']|ENV\.(?=[A-Z_])|ENV\[["']|ENV\.fetch\(["']|env\.get\(["']|env\(["']|\$_ENV\[["']|\$ENV\{["']?)(\w{1,100})/gu;

/** Returns the names of the environment variables that code reads. */
export function variablesIn(code: string): readonly string[] {
  return [...code.matchAll(variables)].map(([, name = ""]) => name);
}
