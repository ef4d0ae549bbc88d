import { createSign, generateKeyPairSync } from "node:crypto";

/** A key and a certificate that vouches for itself, both as PEM. */
export interface OwnCertificate {
  readonly key: string;
  readonly certificate: string;
}

const [integer, bitString, octetString, objectId, utf8, sequence, set, time] = [
  0x02, 0x03, 0x04, 0x06, 0x0c, 0x30, 0x31, 0x17,
];
const names = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  subjectAltName: "551d11",
  basicConstraints: "551d13",
};
const day = 86_400_000;

/** Makes a certificate for one host, valid from yesterday until tomorrow, with a key that exists nowhere else. */
export function certificateFor(host: string, now = Date.now()): OwnCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = der(sequence, oid(names.ecdsaWithSha256));
  const name = der(sequence, der(set, der(sequence, oid(names.commonName), der(utf8, Buffer.from(host)))));
  const [tagged, isAuthority] = [0x82, Buffer.from("0101ff", "hex")];
  const body = der(
    sequence,
    der(0xa0, der(integer, Buffer.from([2]))),
    der(integer, Buffer.from([1])),
    algorithm,
    name,
    der(sequence, timeOf(now - day), timeOf(now + day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      der(
        sequence,
        extension(names.basicConstraints, der(sequence, isAuthority)),
        extension(names.subjectAltName, der(sequence, der(tagged, Buffer.from(host)))),
      ),
    ),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const whole = der(sequence, body, algorithm, der(bitString, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: pem(whole),
  };
}

function extension(id: string, value: Buffer): Buffer {
  return der(sequence, oid(id), der(octetString, value));
}

function oid(hex: string): Buffer {
  return der(objectId, Buffer.from(hex, "hex"));
}

function timeOf(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/gu, "").slice(2, 14);
  return der(time, Buffer.from(`${digits}Z`));
}

/** Encodes one value with its tag and length. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/gu) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
