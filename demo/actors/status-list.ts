import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { signJws } from '../../domain/jose/jws.ts';
import type { Signer } from '../../ports/key-service.ts';

/** The issuer of a status list and the entries that are revoked. */
interface StatusListContent {
  /** A did:jwk and what signs with its key. */
  issuerDid: string;
  signer: Signer;
  revoked: readonly number[];
}

/** A published status list. */
interface ServedStatusList {
  url: string;
  close(): Promise<void>;
}

/** The fewest entries that a list may have (StatusList2021 §3.3: 16 KiB). */
export const LIST_BITS = 131_072;

/** The bytes of a list in which these entries are set, the first entry in the highest bit. */
export function bitstring(set: readonly number[], bits = LIST_BITS): Uint8Array {
  const bytes = new Uint8Array(bits / 8);
  for (const index of set) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7));
  return bytes;
}

export const encodeList = (bytes: Uint8Array, encoding: 'base64' | 'base64url' = 'base64url'): string =>
  gzipSync(bytes).toString(encoding);

/** Serves one StatusList2021 credential as a JWT on a free loopback port. */
export async function serveStatusList(content: StatusListContent): Promise<ServedStatusList> {
  let url = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/vc+jwt');
    statusListToken(url, content).then(
      (token) => response.end(token),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status/1`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}

function statusListToken(url: string, { issuerDid, signer, revoked }: StatusListContent): Promise<string> {
  const issued = Math.floor(Date.now() / 1000) - 60;
  const vc = {
    '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/vc/status-list/2021/v1'],
    id: url,
    type: ['VerifiableCredential', 'StatusList2021Credential'],
    issuer: issuerDid,
    issuanceDate: new Date(issued * 1000).toISOString(),
    credentialSubject: {
      id: `${url}#list`,
      type: 'StatusList2021',
      statusPurpose: 'revocation',
      encodedList: encodeList(bitstring(revoked)),
    },
  };
  const claims = { iss: issuerDid, sub: url, iat: issued, nbf: issued, vc };
  return signJws({ typ: 'JWT', kid: `${issuerDid}#0` }, claims, signer);
}

/** The status entry of a credential (interface: Credential status entry). */
export const statusEntry = (url: string, index: number, more: object = {}): Record<string, string> => ({
  id: `${url}#${index}`,
  type: 'StatusList2021Entry',
  statusPurpose: 'revocation',
  statusListIndex: String(index),
  statusListCredential: url,
  ...more,
});
