import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { signToken } from './demo-tokens.ts';

/** Whose list it is, and which of its entries are revoked. */
export interface StatusListContent {
  /** A did:jwk, and the P-256 key it stands for. */
  issuerDid: string;
  key: KeyObject;
  revoked: readonly number[];
}

/** A status list that can be fetched. */
export interface ServedStatusList {
  url: string;
  close(): Promise<void>;
}

/** The least a list may have (StatusList2021 §3.3: 16 KiB). */
const LIST_BYTES = 16 * 1024;

/** Serves one StatusList2021 credential as a JWT from a free port of this machine. */
export async function serveStatusList(content: StatusListContent): Promise<ServedStatusList> {
  let url = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/vc+jwt');
    response.end(statusListToken(url, content));
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

function statusListToken(url: string, { issuerDid, key, revoked }: StatusListContent): string {
  const bits = Buffer.alloc(LIST_BYTES);
  for (const index of revoked) bits[index >> 3] = (bits[index >> 3] ?? 0) | (128 >> (index & 7));
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
      encodedList: gzipSync(bits).toString('base64url'),
    },
  };
  const header = { alg: 'ES256' as const, typ: 'JWT', kid: `${issuerDid}#0` };
  return signToken({ header, payload: { iss: issuerDid, sub: url, iat: issued, nbf: issued, vc } }, key);
}

/** How a credential says where its status stands (interface: Credential status entry). */
export const statusEntry = (url: string, index: number): Record<string, string> => ({
  id: `${url}#${index}`,
  type: 'StatusList2021Entry',
  statusPurpose: 'revocation',
  statusListIndex: String(index),
  statusListCredential: url,
});
