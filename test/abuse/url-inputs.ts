import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { statusEntry } from '../../demo/actors/status-list.ts';
import { makeOffer, offerId } from '../actors/issuance.ts';
import { issueCredential, jwkParty, type Party } from '../actors/party.ts';
import {
  accept,
  credentialRequest,
  makePresentation,
  proofOf,
  readRequest,
  redeem,
  requestCredential,
  submissionFor,
} from '../actors/wallet.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { credentialWith } from '../support/status/status-lists.ts';
import { testLeaf, x5cToken } from '../support/trust/certificates.ts';
import { DEFINITION, shownInputs, walletInputs } from './wallet-inputs.ts';

/** A field of a request by which an attacker could make the server call an address. */
export interface UrlInput {
  name: string;
  /** Sends the address; returns the answer of the request during which the server would call it. */
  send(address: string): Promise<Answer>;
}

/** The inputs, by the kind of value. */
export interface UrlInputs {
  /** Take a URL that the server would call. */
  urls: UrlInput[];
  /** Those among `urls` that no wallet uses: they must not lead to the origin of this server either. */
  foreign: UrlInput[];
  /** Take a URL that the server never calls. */
  idle: UrlInput[];
  /** Take a host, in a did:web. */
  hosts: UrlInput[];
}

const TYPE = 'UniversityDegree';
const encoded = encodeURIComponent;
const inline = encoded(JSON.stringify(DEFINITION));

/** A private key, which is imported with a DID. */
const HOLDER_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** The did:web of a host and port. */
export const didWebOf = (authority: string): string => `did:web:${encodeURIComponent(authority)}`;

/** A server with an issuer, a wallet that stores a degree and a third party: everything that an attacker may use. */
export class SsrfTarget {
  readonly #server: TestServer;
  readonly #issuer: Issuer;
  readonly #wallet: WalletUser;
  readonly #party: Party;
  #credential = '';

  static async of(server: TestServer): Promise<SsrfTarget> {
    const parts = { issuer: await onboard(server), wallet: await newWalletUser(server), party: await jwkParty() };
    const victim = new SsrfTarget(server, parts);
    const { body: text } = await server.call('issueJwtCredential', { json: degree(parts.issuer) });
    const { status, body } = await parts.wallet.call('acceptCredentialOffer', { text });
    if (status !== 200) throw new Error(`The wallet cannot reach its own server: ${JSON.stringify(body)}`);
    victim.#credential = body[0].id;
    return victim;
  }

  private constructor(server: TestServer, parts: { issuer: Issuer; wallet: WalletUser; party: Party }) {
    this.#server = server;
    this.#issuer = parts.issuer;
    this.#wallet = parts.wallet;
    this.#party = parts.party;
  }

  get inputs(): UrlInputs {
    const foreign = [...this.#issuerDoors(), ...this.#verifierDoors(), ...this.#otherDoors()];
    return {
      urls: [...foreign, ...walletInputs({ wallet: this.#wallet, credential: this.#credential })],
      foreign,
      idle: [...this.#idleDoors(), ...shownInputs({ wallet: this.#wallet, credential: this.#credential })],
      hosts: this.#hostDoors(),
    };
  }

  #issuerDoors(): UrlInput[] {
    const server = this.#server;
    const ofMapping = (name: string): UrlInput => ({
      name: `mapping <${name}>`,
      send: async (url) => {
        const json = degree(this.#issuer, { mapping: { id: `<${name}:${url}>` } });
        const made = await server.call('issueJwtCredential', { json });
        return made.status === 200 ? accept(server, await makeOffer(server, json)) : made;
      },
    });
    return [
      {
        name: 'statusCallbackUri of an offer',
        send: async (statusCallbackUri) => {
          const json = degree(this.#issuer);
          const made = await server.call('issueJwtCredential', { json, headers: { statusCallbackUri } });
          if (made.status !== 200) return made;
          return server.call('getCredentialOffer', { query: { id: offerId(made.body) } });
        },
      },
      ofMapping('webhook'),
      ofMapping('webhook-json'),
    ];
  }

  #verifierDoors(): UrlInput[] {
    const asking = (name: string, body: (url: string) => object): UrlInput => ({
      name,
      send: (url) => this.#verify({ request_credentials: [TYPE], ...body(url) }),
    });
    const webhook = (args: string) => ['signature', { policy: 'webhook', args }];
    return [
      {
        name: 'statusCallbackUri of a verification',
        send: (statusCallbackUri) => this.#verify({ request_credentials: [TYPE] }, { statusCallbackUri }),
      },
      asking('args of a webhook for credentials', (url) => ({ vc_policies: webhook(url) })),
      asking('args of a webhook for the presentation', (url) => ({ vp_policies: webhook(url) })),
      asking('args of a webhook of one credential', (url) => ({
        request_credentials: [{ type: TYPE, format: 'jwt_vc_json', policies: webhook(url) }],
      })),
      asking('$ref of a schema', ($ref) => ({ vc_policies: [{ policy: 'schema', args: { $ref } }] })),
    ];
  }

  #otherDoors(): UrlInput[] {
    const server = this.#server;
    const listed = (url: string) => credentialWith(this.#party.did, statusEntry(url, 7));
    return [
      {
        name: 'statusListCredential',
        send: (url) => server.call('checkRevocation', { text: JSON.stringify(listed(url)) }),
      },
      {
        name: 'statusListCredential of a JWT',
        send: async (url) => {
          const text = await this.#party.sign({ iss: this.#party.did, vc: listed(url) });
          return server.call('checkRevocation', { text });
        },
      },
      {
        name: 'x5u and jku beside x5c',
        send: (url) => {
          const token = x5cToken({ chain: [testLeaf(90)], header: { x5u: url, jku: url } });
          return server.call('loginWithCertificate', { json: { type: 'x5c', token } });
        },
      },
    ];
  }

  #idleDoors(): UrlInput[] {
    const server = this.#server;
    return [
      {
        name: 'client_metadata_uri',
        send: (url) => {
          const text = `openid://?client_id=a&presentation_definition=${inline}&response_uri=${server.url}&client_metadata_uri=${encoded(url)}`;
          return this.#wallet.call('resolvePresentationRequest', { text });
        },
      },
      {
        name: 'jku and x5u of a proof',
        send: async (url) => {
          const { code } = await makeOffer(server, degree(this.#issuer));
          const { body } = await redeem(server, code);
          const proof = proofOf(server, makeHolderKey(), { nonce: body.c_nonce, header: { jku: url, x5u: url } });
          return requestCredential(server, body.access_token, credentialRequest(proof));
        },
      },
      {
        name: '$id of a schema',
        send: (url) => {
          const policy = { policy: 'schema', args: { $id: url, type: 'object' } };
          return this.#verify({ request_credentials: [TYPE], vc_policies: [policy] });
        },
      },
    ];
  }

  #hostDoors(): UrlInput[] {
    const server = this.#server;
    return [
      {
        name: 'did:web of a credential whose status is checked',
        send: async (host) => {
          const iss = didWebOf(host);
          const vc = credentialWith(iss, statusEntry(`${server.url}/x`, 1));
          return server.call('checkRevocation', { text: await this.#party.sign({ iss, vc }, { kid: `${iss}#0` }) });
        },
      },
      {
        name: 'did:web of a proof',
        send: async (host) => {
          const { code } = await makeOffer(server, degree(this.#issuer));
          const { body } = await redeem(server, code);
          const proof = proofOf(server, makeHolderKey(), {
            nonce: body.c_nonce,
            header: { kid: `${didWebOf(host)}#0` },
          });
          return requestCredential(server, body.access_token, credentialRequest(proof));
        },
      },
      {
        name: 'issuerDid of an offer',
        send: (host) =>
          server.call('issueJwtCredential', { json: degree(this.#issuer, { issuerDid: didWebOf(host) }) }),
      },
      {
        name: 'did:web of an issuer',
        send: (host) => this.#verify({ request_credentials: [TYPE] }, {}, { issuer: didWebOf(host) }),
      },
      {
        name: 'did:web of a holder',
        send: (host) => this.#verify({ request_credentials: [TYPE] }, {}, { holder: didWebOf(host) }),
      },
      {
        name: 'did:web that is imported',
        send: (host) => this.#wallet.call('importWalletDid', { json: { did: didWebOf(host), key: HOLDER_KEY } }),
      },
      {
        name: 'did:web of a request object',
        send: async (host) => {
          const client_id = didWebOf(host);
          const claims = { client_id, presentation_definition: DEFINITION, response_uri: server.url };
          const request = await this.#party.sign(claims, { kid: `${client_id}#0` });
          const text = `openid4vp://?client_id=${encoded(client_id)}&request=${request}`;
          return this.#wallet.call('resolvePresentationRequest', { text });
        },
      },
    ];
  }

  /** Starts a verification and answers it; returns the first error. */
  async #verify(
    json: object,
    headers: Record<string, string> = {},
    { issuer, holder }: { issuer?: string; holder?: string } = {},
  ): Promise<Answer> {
    const started = await this.#server.call('startVerification', { json, headers });
    if (started.status !== 200) return started;
    const request = readRequest(started.body);
    const path = { state: request.state };
    const { body: definition } = await this.#server.call('getPresentationDefinition', { path });
    const signers = { issuer: as(this.#party, issuer), holder: as(this.#party, holder) };
    const credential = await issueCredential(signers.issuer, signers.holder, { type: TYPE });
    const form = {
      vp_token: await makePresentation(signers.holder, request, { credentials: [credential] }),
      presentation_submission: submissionFor(definition.id, { [definition.input_descriptors[0].id]: 0 }),
    };
    return this.#server.call('submitPresentation', { path, form });
  }
}

/** A party that signs under another DID. */
function as(party: Party, did = party.did): Party {
  if (did === party.did) return party;
  const kid = `${did}#0`;
  return { did, kid, sign: (payload, header) => party.sign(payload, { kid, ...header }) };
}
