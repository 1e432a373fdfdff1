import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bitstring, encodeList } from '../../../demo/actors/status-list.ts';
import { jwkParty } from '../../actors/party.ts';

/** An issuer of lists and credentials with a did:jwk. */
export interface ListIssuer {
  did: string;
  sign(claims: Record<string, unknown>, header?: Record<string, string>): Promise<string>;
}

export async function listIssuer(): Promise<ListIssuer> {
  const { did, sign } = await jwkParty();
  return { did, sign: (claims, header = {}) => sign(claims, { typ: undefined, ...header }) };
}

/** The claims of a valid StatusList2021 list of VC 1.1; `subject` and `vc` replace members. */
export function listClaims({
  did,
  set = [],
  subject = {},
  vc = {},
  claims = {},
}: {
  did: string;
  set?: number[];
  subject?: Record<string, unknown>;
  vc?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}): Record<string, unknown> {
  const credentialSubject = {
    type: 'StatusList2021',
    statusPurpose: 'revocation',
    encodedList: encodeList(bitstring(set)),
    ...subject,
  };
  const type = ['VerifiableCredential', 'StatusList2021Credential'];
  return { iss: did, vc: { type, issuer: did, credentialSubject, ...vc }, ...claims };
}

/** A credential with a status. */
export const credentialWith = (issuer: string, credentialStatus: unknown): Record<string, unknown> => ({
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential'],
  issuer,
  issuanceDate: '2024-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:holder' },
  credentialStatus,
});

/** A server that publishes lists, each under its own URL. */
export interface ListHost {
  url: string;
  /** The number of requests for each path. */
  hits: Map<string, number>;
  /** Publishes a list and returns its URL. */
  publish(list: string | RequestListener): string;
  /** Replaces the list at a URL. */
  replace(url: string, list: string | RequestListener): void;
  close(): Promise<void>;
}

/** A host of lists on loopback; it answers 404 where nothing is published. */
export async function listHost(): Promise<ListHost> {
  const lists = new Map<string, RequestListener>();
  const hits = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const answer = lists.get(path) ?? notFound;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const put = (path: string, list: string | RequestListener) =>
    lists.set(path, typeof list === 'string' ? (_, response) => send(response, list) : list);
  return {
    url,
    hits,
    publish: (list) => {
      const path = `/lists/${lists.size}`;
      put(path, list);
      return url + path;
    },
    replace: (at, list) => void put(new URL(at).pathname, list),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const notFound: RequestListener = (_, response) => void response.writeHead(404).end();

const send = (response: ServerResponse, list: string): void =>
  void response.writeHead(200, { 'content-type': 'application/vc+jwt' }).end(list);
