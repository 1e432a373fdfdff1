import { decodeJwt } from 'jose';
import { type HolderKey, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { issuerSettings, SIGNER } from '../../actors/attested-wallet.ts';
import { HttpPeer, type PeerReply, type PeerRequest } from '../../actors/http-peer.ts';
import { MDL } from '../../support/credentials/mdoc-issuer.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests and answers have any member
export type Json = Record<string, any>;

/** A request of the wallet to an endpoint of the issuer. */
export interface SeenRequest {
  /** The last part of its path. */
  endpoint: string;
  headers: PeerRequest['headers'];
  body: string;
  form: Record<string, string>;
  status: number;
  answer: Json;
}

/** The formats of the plan, by the profiles that issue them at once and later. */
export const PROFILES = { sd_jwt_vc: 'identity', iso_mdl: 'licence' } as const;

const METADATA = 'openid-credential-issuer/openid4vci';
const SERVER = 'oauth-authorization-server/openid4vci';
const licence = {
  name: 'Licence',
  credentialConfigurationId: MDL.docType,
  credentialData: { [MDL.namespace]: { family_name: 'Lovelace', age_over_18: true } },
  ...SIGNER,
};

/** The claims of a token in a header. */
export const tokenIn = (text: unknown): Json => decodeJwt(String(text));

/** The issuer that the suite plays for a wallet under test: ours of HAIP, which judges, behind a peer that sees and changes. */
export class SuiteIssuer {
  readonly attester: HolderKey;
  readonly seen: SeenRequest[] = [];
  /** Changes the JSON that an endpoint answers with, or a document. */
  changes: Record<string, (body: Json) => Json> = {};
  readonly #peer: HttpPeer;
  readonly #server: TestServer;

  static async start(): Promise<SuiteIssuer> {
    const [peer, attester] = [await new HttpPeer().listen(), makeHolderKey()];
    const { issuer2Profiles, ...base } = issuerSettings(attester);
    const at = { ...issuer2Profiles?.profiles, licence };
    const later = Object.entries(at).map(([name, profile]) => [`${name}Later`, { ...profile, deferred: true }]);
    const profiles = { ...at, ...Object.fromEntries(later) };
    const publicUrl = peer.url.replace('127.0.0.1', 'localhost');
    const server = await startServer({ settings: { ...base, issuer2Profiles: { profiles }, publicUrl } });
    return new SuiteIssuer(peer, server, attester);
  }

  private constructor(peer: HttpPeer, server: TestServer, attester: HolderKey) {
    this.attester = attester;
    this.#peer = peer;
    this.#server = server;
    peer.other = (request) => this.#pass(request);
  }

  close(): Promise<unknown> {
    return Promise.all([this.#peer.close(), this.#server.close()]);
  }

  /** A new offer that its holder authorizes. */
  async offer(profileId: string): Promise<string> {
    this.seen.length = 0;
    const json = { profileId, authMethod: 'AUTHORIZED' };
    return (await this.#server.call('createCredentialOffer', { json })).body.credentialOffer;
  }

  /** Requires that requests and responses are encrypted. */
  requireEncryption(): void {
    const required = (member: Json) => ({ ...member, encryption_required: true });
    this.changes[METADATA] = ({
      credential_request_encryption: asked,
      credential_response_encryption: told,
      ...body
    }) => ({
      ...body,
      credential_request_encryption: required(asked),
      credential_response_encryption: required(told),
    });
  }

  advance(ms: number): void {
    this.#server.clock.advance(ms);
  }

  /** The requests to an endpoint. */
  to(endpoint: string): SeenRequest[] {
    return this.seen.filter((one) => one.endpoint === endpoint);
  }

  /** Metadata are passed on without a signature, so that they can be changed. */
  async #pass({ method, url, headers, body }: PeerRequest): Promise<PeerReply> {
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    const isMetadata = url.pathname.endsWith(METADATA);
    const sent = { ...kept, ...(isMetadata && { accept: 'application/json' }) } as Record<string, string>;
    const content = method === 'POST' ? { body } : {};
    const init = { method, headers: sent, redirect: 'manual' as const, ...content };
    const response = await fetch(`${this.#server.url}${url.pathname}${url.search}`, init);
    const text = await response.text();
    const document = [METADATA, SERVER].find((name) => url.pathname.endsWith(name));
    const endpoint = document ?? url.pathname.split('/').at(-1) ?? '';
    const [isJson, change = (same: Json) => same] = [text.startsWith('{'), this.changes[endpoint]];
    // The plan asks by scopes.
    const { authorization_details_types_supported: ____, ...said } = isJson ? JSON.parse(text) : {};
    const answer = change(said);
    const form = Object.fromEntries(new URLSearchParams(body));
    this.seen.push({ endpoint, headers, body, form, status: response.status, answer });
    const passed = ['content-type', 'location', 'dpop-nonce', 'www-authenticate', 'oauth-client-attestation-challenge'];
    const found = passed.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return { status: response.status, headers: Object.fromEntries(found), body: isJson ? answer : text };
  }
}
