import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { publicKeyOfDid } from '../../../domain/dids/did-methods.ts';
import { thumbprint } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import { BACKENDS } from '../../../domain/keys/key-reference.ts';
import type { Backend, PublicJwk } from '../../../ports/key-service.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { ASKED, claim, identity, licence, signerChain } from '../../actors/issuance-formats.ts';
import { accept, credentialRequest, decodeJwt, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { testMdocs } from '../../support/credentials/formats.ts';
import { offline } from '../../support/credentials/sd-jwts.ts';
import { lackedBy } from '../../support/kms/cloud-configs.ts';
import { type Cloud, useClouds } from '../../support/kms/clouds.ts';
import { useServer } from '../../support/servers/server.ts';

const TAGS = { department: 'registrar' };

describe('onboardIssuer with a key management service', () => {
  const clouds = useClouds();
  const options = (timeoutSeconds: number) => async () => ({
    settings: { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds } },
  });
  const server = useServer(options(30));
  const hasty = useServer(options(4));
  const onboard = (backend: string, keyType: string, config: object, did: object = { method: 'jwk' }, at = server) =>
    at.call('onboardIssuer', { json: { key: { backend, keyType, config }, did } });
  const each = async (work: (cloud: Cloud) => Promise<void>): Promise<void> => {
    await Promise.all(clouds.all.map(work));
  };
  /** The stated public key, in the shape of either contract example. */
  const stated = ({ _publicKey: key }: { _publicKey: string | { jwk: PublicJwk } }): PublicJwk =>
    typeof key === 'string' ? JSON.parse(key) : key.jwk;

  it('200: the reference has the shape of its backend, complete, and echoes the configuration', () =>
    each(async ({ backend, config }) => {
      const { maxTags } = BACKENDS[backend as Backend];
      const wanted = { ...config(), ...(maxTags !== undefined && { tags: TAGS }) };
      const { status, body } = await onboard(backend, 'secp256r1', wanted);
      expect(status, JSON.stringify(body)).to.equal(200);
      const { issuerKey, issuerDid } = body;
      expect([issuerKey.type, issuerKey._keyType]).to.deep.equal([backend, 'secp256r1']);
      expect(thumbprint(publicKeyOfDid(issuerDid))).to.equal(thumbprint(stated(issuerKey)));
      expect(stated(issuerKey).kid).to.equal(thumbprint(stated(issuerKey)));
      const { auth } = wanted as { auth?: object };
      if (backend === 'kmsb-rest-api') expect(issuerKey).to.deep.include({ auth });
      else if (backend === 'tse') expect(issuerKey).to.deep.include(wanted);
      else expect(issuerKey.config).to.deep.equal(wanted);
    }));

  it('200: an alias of the backend is answered in its own spelling', () =>
    each(async ({ alias, config }) => {
      const { body } = await onboard(alias, 'secp256r1', config());
      expect(body.issuerKey.type).to.equal(alias);
      const offer = await makeOffer(server, degree(body));
      expect((await accept(server, offer, makeHolderKey())).status).to.equal(200);
    }));

  it('200: keys of each backend issue under did:jwk, did:key and did:web, its public key fetched when left out', () =>
    each(async ({ backend, keyTypes, config }) => {
      const methods = [{ method: 'jwk' }, { method: 'key' }, { method: 'web', config: { domain: 'issuer.example' } }];
      const usual = keyTypes.filter((keyType) => !/^RSA\d/.test(keyType));
      for (const [index, keyType] of usual.entries()) {
        const { status, body } = await onboard(backend, keyType, config(), methods[index % methods.length]);
        expect(status, `${backend} ${keyType} ${JSON.stringify(body)}`).to.equal(200);
        const { _publicKey: _, _keyType: __, ...issuerKey } = body.issuerKey;
        const holder = makeHolderKey();
        const answer = await accept(server, await makeOffer(server, degree({ ...body, issuerKey })), holder);
        expect(answer.status, `${backend} ${keyType} ${JSON.stringify(answer.body)}`).to.equal(200);
        const credential = decodeJwt(answer.body.credential);
        expect(credential.header.alg).to.equal(KEY_TYPES[keyType].alg);
        expect(credential.verifies({ ...stated(body.issuerKey) }), `${backend} ${keyType}`).to.equal(true);
        expect(credential.claims).to.include({ iss: body.issuerDid, sub: holder.did });
      }
    }));

  it('200: a key of each backend signs every format', () =>
    each(async ({ backend, config }) => {
      const { body: issuer } = await onboard(backend, 'secp256r1', config());
      const publicJwk = stated(issuer.issuerKey);
      const holder = makeHolderKey();
      const receive = async (operationId: string, json: object, asked: object): Promise<string> => {
        const offer = await makeOffer(server, json, { operationId });
        const { status, body } = await claim(server, offer, { ...asked }, holder);
        expect(status, `${backend} ${JSON.stringify(body)}`).to.equal(200);
        return body.credential;
      };
      const jwt = await receive('issueJwtCredential', degree(issuer), ASKED.degree());
      const sdJwt = await receive('issueSdJwtCredential', identity(issuer), ASKED.identity(server));
      for (const token of [jwt, sdJwt.split('~')[0] ?? ''])
        expect(decodeJwt(token).verifies({ ...publicJwk }), backend).to.equal(true);
      const request = licence(issuer, { x5Chain: signerChain(publicJwk) });
      const mdoc = await testMdocs.parse(await receive('issueMdoc', request, ASKED.licence()));
      expect(await mdoc.verifyIssuer(offline), backend).to.deep.include({ valid: true });
      expect(mdoc.holder?.jwk, backend).to.deep.include({ x: holder.jwk.x });
    }));

  it('400: a key type that the backend lacks, before any call', () =>
    each(async ({ backend, config, signing, living }) => {
      const before = [living(), signing.calls.length];
      const { status, body } = await onboard(backend, lackedBy(backend), config());
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/key/keyType']);
      expect([living(), signing.calls.length]).to.deep.equal(before);
    }));

  it('400: a configuration that is missing, incomplete or too large, naming its members, before any call', () =>
    each(async ({ backend, config, living }) => {
      const before = living();
      const [member = ''] = Object.keys(config());
      const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`tag${n}`, 'x']));
      const wrong: [object, RegExp][] = [
        [{}, /^\/body\/key\/config\//],
        [{ ...config(), [member]: 7 }, new RegExp(`^/body/key/config/${member}`)],
        [{ ...config(), extra: 'x' }, /^\/body\/key\/config\/extra$/],
        [{ ...config(), tags: { a: 1 } }, /^\/body\/key\/config\/tags(\/a)?$/],
        [{ ...config(), tags: many }, /^\/body\/key\/config\/tags$/],
      ];
      for (const [given, path] of wrong) {
        const { status, body } = await onboard(backend, 'secp256r1', given);
        expect(status, `${backend} ${JSON.stringify(given)}`).to.equal(400);
        expect(body.details[0].path).to.match(path);
      }
      expect(living()).to.equal(before);
    }));

  it('400: a vault on an address that is not public, naming it', async () => {
    const [, azure] = clouds.all;
    const auth = { ...Object(azure?.config().auth), keyVaultUrl: 'https://10.1.2.3' };
    const { status, body } = await onboard('kmsb-rest-api', 'secp256r1', { auth });
    expect([status, body.id, body.details[0].path]).to.deep.equal([
      400,
      'AddressRefused',
      '/body/key/config/auth/keyVaultUrl',
    ]);
  });

  it('400: a DID that cannot be made, before a key is', () =>
    each(async ({ backend, config, living }) => {
      const before = living();
      const { status, body } = await onboard(backend, 'secp256r1', config(), { method: 'web' });
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/did/config/domain']);
      expect(living()).to.equal(before);
    }));

  it('502: a service that fails, and 504: one that hangs, within the deadline and without a key', () =>
    each(async ({ backend, config, living, managing }) => {
      const before = living();
      const attempt = async () => (await onboard(backend, 'secp256r1', config(), undefined, hasty)).status;
      managing.always({ kind: 'fail' });
      expect(await attempt(), backend).to.equal(502);
      managing.always({ kind: 'hang' });
      expect(await attempt(), backend).to.equal(504);
      expect(living()).to.equal(before);
    }));

  it('every issue operation, signJwtCredential and createCredentialOffer 502 and 504: the public key cannot be fetched', () =>
    each(async ({ backend, config, managing }) => {
      const { body } = await onboard(backend, 'secp256r1', config());
      const { _publicKey: _, _keyType: __, ...issuerKey } = body.issuerKey;
      const json = degree({ ...body, issuerKey });
      const { credentialConfigurationId: ___, ...unnamed } = json;
      const requests = {
        issueJwtCredential: json,
        issueSdJwtCredential: identity({ ...body, issuerKey }),
        issueMdoc: licence(body, { issuerKey, x5Chain: signerChain(stated(body.issuerKey)) }),
      };
      const offer = { profileId: 'UniversityDegree_jwt_vc_json', authMethod: 'PRE_AUTHORIZED' };
      const calls: [string, object][] = [
        ['createCredentialOffer', { ...offer, runtimeOverrides: { issuerKey } }],
        ['signJwtCredential', { ...unnamed, subjectDid: body.issuerDid }],
        ...Object.entries(requests),
        ...Object.entries(requests).map(([name, one]): [string, object] => [`${name}Batch`, [one]]),
      ];
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        managing.always({ kind });
        const answers = await Promise.all(calls.map(([name, json]) => hasty.call(name, { json })));
        for (const [index, answer] of answers.entries())
          expect(answer.status, `${backend} ${kind} ${calls[index]?.[0]}`).to.equal(status);
      }
      managing.always(undefined);
    }));

  it('a credential that cannot be signed now is no end: the wallet learns no reason and succeeds with the same proof', () =>
    each(async ({ backend, config, signing }) => {
      const { body } = await onboard(backend, 'secp256r1', config());
      const { code } = await makeOffer(hasty, degree(body));
      const { access_token: token, c_nonce: nonce } = (await redeem(hasty, code)).body;
      const request = credentialRequest(proofOf(hasty, makeHolderKey(), { nonce }));
      const attempt = () => requestCredential(hasty, token, request);
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        signing.always({ kind });
        const failed = await attempt();
        expect([failed.status, failed.body.error], `${backend} ${kind}`).to.deep.equal([status, 'server_error']);
        expect(failed.body.error_description).to.equal('The issuer cannot sign now; try again');
      }
      signing.always(undefined);
      expect((await attempt()).status, backend).to.equal(200);
    }));
});
