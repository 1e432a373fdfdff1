import type { KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { CARD_SETTINGS, holderOfAll } from '../actors/holder-of-all.ts';
import { HttpPeer } from '../actors/http-peer.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { combinationsOf, shownChoices } from '../support/runs/combinations.ts';
import { inTier, pairwise } from '../support/runs/tier.ts';
import { SLOW_MACHINE_MS } from '../support/runs/waiting.ts';
import { useServer } from '../support/servers/server.ts';
import { pemOf, testKeys } from '../support/trust/certificates.ts';
import { anchorSettings, federationJwk, TestFederation } from '../support/trust/federation.ts';
import { certifiedKey } from '../support/trust/verifier-chains.ts';
import {
  type Asked,
  DemandingVerifier,
  REQUESTS,
  type VerifierIdentity,
  verifierMetadata,
} from './demanding-verifier.ts';
import { didJwkOf } from './library.ts';

const { privateKey, publicKey } = testKeys('P-256', 71);
const attester = testKeys('P-256', 80);
const ATTESTER = 'https://attester.example';
const alg = 'ES256';

const all = combinationsOf(REQUESTS);
const tried = inTier({ hard: all, usual: pairwise(all, Object.values) });

describe('our wallet with an independent verifier that asks in every way', () => {
  const peer = new HttpPeer();
  const federation = new TestFederation();
  const server = useServer(async () => {
    await Promise.all([peer.listen(), federation.peer.listen()]);
    const [, root = ''] = (await certifiedKey()).withRoot;
    const jwks = { keys: [await exportJWK(publicKey)] };
    const responseUris = [`${peer.url.replace('127.0.0.1', 'localhost')}/response`];
    const trustedVerifiers = {
      certificates: [pemOf(Buffer.from(root, 'base64'))],
      attestationIssuers: [{ issuer: ATTESTER, jwks: { keys: [await exportJWK(attester.publicKey)] } }],
      clients: [{ clientId: 'shop', name: 'The shop', responseUris, jwks }],
      federations: [anchorSettings(federation.entity('anchor', 0))],
    };
    // The first presentation of a format loads what judges it, which takes a slow machine long.
    return { settings: { ...CARD_SETTINGS, trustedVerifiers }, outboundTimeoutMs: SLOW_MACHINE_MS };
  });
  let verifier: DemandingVerifier;
  let holder: WalletUser;
  const ids: Record<string, string[]> = {};
  before(async () => {
    holder = await newWalletUser(server);
    for (let copy = 0; copy < 2; copy += 1) {
      const without = { jwt_vc_json: { selectiveDisclosure: undefined } };
      for (const [format, id] of Object.entries((await holderOfAll(server, without, holder)).ids))
        ids[format] = [...(ids[format] ?? []), id];
    }
    verifier = new DemandingVerifier(peer, await identities());
  });
  after(async () => {
    console.log(`      ${tried.length} of ${all.length} combinations of ${shownChoices(REQUESTS)}`);
    await Promise.all([peer.close(), federation.peer.close()]);
  });

  /** The clients by their prefixes; a client of `redirect_uri` has no key. */
  async function identities(): Promise<(asked: Asked) => VerifierIdentity | undefined> {
    const { x5c, hash, sanDns } = await certifiedKey({ host: 'localhost' });
    const did = didJwkOf(publicKey);
    const iat = Math.floor(server.clock.now() / 1000);
    const jwt = await new SignJWT({
      iss: ATTESTER,
      sub: 'kiosk',
      iat,
      exp: iat + 600,
      cnf: { jwk: await exportJWK(publicKey) },
    })
      .setProtectedHeader({ alg, typ: 'verifier-attestation+jwt' })
      .sign(attester.privateKey);
    const certified = { privateKey, signer: { method: 'x5c' as const, alg, x5c } };
    const known = { privateKey, signer: { method: 'custom' as const, alg } };
    const table: Partial<Record<Asked['client'], VerifierIdentity>> = {
      x509_san_dns: { ...certified, clientId: sanDns },
      x509_hash: { ...certified, clientId: hash },
      decentralized_identifier: {
        ...{ privateKey, clientId: `decentralized_identifier:${did}` },
        signer: { method: 'did', alg, didUrl: `${did}#0` },
      },
      verifier_attestation: { ...known, clientId: 'verifier_attestation:kiosk', header: { jwt } },
      'pre-registered': { ...known, clientId: 'shop' },
    };
    const members = Object.fromEntries(REQUESTS.response.map((response) => [response, memberOf(response)]));
    return ({ client, response }) => (client === 'openid_federation' ? members[response] : table[client]);
  }

  /** What a member of a federation says of itself stands in its metadata there, so that each way to answer has one. */
  function memberOf(response: Asked['response']): VerifierIdentity {
    const { kid, ...jwk } = federationJwk(20);
    const metadata = verifierMetadata(response, { jwks: { keys: [{ ...jwk, kid }] } });
    const superiors = [{ id: `${federation.peer.url}/anchor`, key: 0 }];
    const entity = federation.entity(`member-${response}`, 10, {
      ...{ superiors, metadata: { openid_credential_verifier: metadata } },
    });
    const key: KeyObject = testKeys('P-256', 320).privateKey;
    const signer = { method: 'custom' as const, alg };
    return { clientId: `openid_federation:${entity.id}`, privateKey: key, signer, header: { kid } };
  }

  async function answer(asked: Asked) {
    const made = await verifier.ask(asked);
    const [one = '', other = ''] = ids[asked.format] ?? [];
    const selectedCredentials = asked.credentials === 'one' ? [one] : [one, other];
    if ('link' in made)
      return holder.call('presentCredentials', { json: { presentationRequest: made.link, selectedCredentials } });
    const answer = await holder.call('answerPageRequest', { json: { ...made.page, selectedCredentials } });
    if (answer.status === 200) await verifier.judge(answer.body.data);
    return answer;
  }

  for (const client of REQUESTS.client)
    it(`presents to a client ${client} in each pair of request, response, format and number, or in every combination`, async () => {
      const refused: string[] = [];
      for (const asked of tried.filter((one) => one.client === client)) {
        const { status, body } = await answer(asked).catch((error) => ({ status: 0, body: String(error) }));
        if (status === 200 && verifier.accepted === (asked.credentials === 'one' ? 1 : 2)) continue;
        refused.push(`${Object.values(asked).join(', ')}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
      }
      expect(refused.join('\n')).to.equal('');
    });
});
