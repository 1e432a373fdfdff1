import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { issueCredential, jwkParty, tamper } from '../../actors/party.ts';
import {
  DEGREE_REQUEST,
  type PolicyLine,
  type PresentOptions,
  VerificationFixture,
} from '../../actors/verification.ts';
import { makePresentation, submissionFor } from '../../actors/wallet.ts';
import { cpuMs } from '../../support/runs/cpu.ts';

describe('submitPresentation', () => {
  const on = new VerificationFixture();

  const post = (state: string, form: Record<string, string>) =>
    on.server.call('submitPresentation', { path: { state }, form });

  it('200: verifies a presentation and stores the whole result', async () => {
    const request = await on.ask({ ...DEGREE_REQUEST, vc_policies: ['signature', 'expired', 'not-before'] });
    const form = await on.form(request);
    const { status, body } = await post(request.state, form);
    expect([status, body]).to.deep.equal([200, {}]);
    const session = await on.session(request);
    expect(session.verificationResult).to.equal(true);
    expect(session.tokenResponse).to.deep.equal({
      vp_token: form.vp_token,
      presentation_submission: JSON.parse(form.presentation_submission ?? ''),
      state: request.state,
    });
    const { results, time, policiesRun } = session.policyResults;
    expect(time).to.match(/^PT[0-9.]+S$/);
    expect(policiesRun).to.equal(4);
    expect(results.map(({ credential }: { credential: string }) => credential)).to.deep.equal([
      'VerifiablePresentation',
      'UniversityDegreeCredential',
    ]);
    for (const { policies, policyResults } of results) expect(policyResults).to.deep.equal(policies);
    const names = results[1].policies.map(({ policy }: PolicyLine) => policy);
    expect(names).to.deep.equal(['signature', 'expired', 'not-before']);
    expect(results[1].policies.every(({ is_success: ok }: PolicyLine) => ok)).to.equal(true);
  });

  it('200: sends the user where the verifier wants, the session id in place', async () => {
    const request = await on.ask(DEGREE_REQUEST, { successRedirectUri: 'https://portal.example/success/$id?s=$id' });
    const { body } = await on.present(request);
    expect(body).to.deep.equal({ redirect_uri: `https://portal.example/success/${request.state}?s=${request.state}` });
  });

  it('200: accepts the token as a JSON string and the audience in a list', async () => {
    const quoted = await on.ask(DEGREE_REQUEST);
    expect((await on.present(quoted, { change: (token) => JSON.stringify(token) })).status).to.equal(200);
    const listed = await on.ask(DEGREE_REQUEST);
    expect((await on.present(listed, { claims: { aud: ['x', listed.clientId] } })).status).to.equal(200);
  });

  it('200: accepts holders and issuers with every supported key type', async () => {
    for (const alg of ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256']) {
      const holder = await jwkParty(alg);
      const request = await on.ask(DEGREE_REQUEST);
      expect((await on.present(request, { holder })).status, alg).to.equal(200);
    }
  });

  it('200: verifies an issuer with a did:web; 400: not while its document cannot be fetched', async () => {
    const host = await new HttpPeer().listen();
    const key = await jwkParty('ES256');
    const did = `did:web:127.0.0.1%3A${new URL(host.url).port}`;
    const publicKeyJwk = JSON.parse(Buffer.from(key.did.slice('did:jwk:'.length), 'base64url').toString());
    const verificationMethod = [{ id: `${did}#k`, type: 'JsonWebKey2020', controller: did, publicKeyJwk }];
    host.routes['/.well-known/did.json'] = () => ({
      body: { id: did, verificationMethod, assertionMethod: [`${did}#k`] },
    });
    const credential = await key.sign(
      { iss: did, sub: on.holder.did, vc: { type: ['VerifiableCredential', 'UniversityDegreeCredential'] } },
      { kid: `${did}#k` },
    );
    expect((await on.present(await on.ask(DEGREE_REQUEST), { credentials: [credential] })).status).to.equal(200);
    host.routes['/.well-known/did.json'] = () => ({ status: 500 });
    expect((await on.present(await on.ask(DEGREE_REQUEST), { credentials: [credential] })).status).to.equal(400);
    await host.close();
  });

  it('400: refuses a did:web key that is not for assertions or another controls, and needs a kid where there are several', async () => {
    const host = await new HttpPeer().listen();
    const [key, other] = [await jwkParty('ES256'), await jwkParty('ES256')];
    const did = `did:web:127.0.0.1%3A${new URL(host.url).port}`;
    const methodOf = (party: typeof key, fragment: string, more: object = {}) => ({
      id: `${did}#${fragment}`,
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: JSON.parse(Buffer.from(party.did.slice('did:jwk:'.length), 'base64url').toString()),
      ...more,
    });
    const outcome = async (document: object, kid: string | undefined) => {
      host.routes['/.well-known/did.json'] = () => ({ body: { id: did, ...document } });
      const vc = { type: ['VerifiableCredential', 'UniversityDegreeCredential'] };
      const credential = await key.sign({ iss: did, sub: on.holder.did, vc }, { kid });
      return (await on.present(await on.ask(DEGREE_REQUEST), { credentials: [credential] })).status;
    };
    const [kid, assertionMethod] = [`${did}#k`, [`${did}#k`, `${did}#o`]];
    const both = [methodOf(other, 'o'), methodOf(key, 'k')];
    expect(await outcome({ verificationMethod: both, assertionMethod }, kid)).to.equal(200);
    expect(await outcome({ verificationMethod: both, assertionMethod }, undefined), 'several, no kid').to.equal(400);
    expect(await outcome({ verificationMethod: both, assertionMethod: [kid] }, undefined), 'one, no kid').to.equal(200);
    expect(await outcome({ verificationMethod: both, authentication: [kid] }, kid), 'no assertion').to.equal(400);
    const foreign = [methodOf(key, 'k', { controller: 'did:web:evil.example' })];
    expect(await outcome({ verificationMethod: foreign, assertionMethod }, kid), 'another controller').to.equal(400);
    await host.close();
  });

  it('200: thirty-two credentials of one did:web take one fetch of its document', async () => {
    const host = await new HttpPeer().listen();
    const key = await jwkParty('ES256');
    const did = `did:web:127.0.0.1%3A${new URL(host.url).port}`;
    const publicKeyJwk = JSON.parse(Buffer.from(key.did.slice('did:jwk:'.length), 'base64url').toString());
    const verificationMethod = [{ id: `${did}#k`, type: 'JsonWebKey2020', controller: did, publicKeyJwk }];
    const document = { id: did, verificationMethod, assertionMethod: [`${did}#k`] };
    host.routes['/.well-known/did.json'] = () => ({ body: document });
    const vc = { type: ['VerifiableCredential', 'UniversityDegreeCredential'] };
    const credential = await key.sign({ iss: did, sub: on.holder.did, vc }, { kid: `${did}#k` });
    const credentials = Array.from({ length: 32 }, () => credential);
    expect((await on.present(await on.ask(DEGREE_REQUEST), { credentials })).status).to.equal(200);
    expect(host.count('/.well-known/did.json')).to.equal(1);
    await host.close();
  });

  it('200: accepts data model 2.0 presentations with enveloped credentials', async () => {
    const credential = await on.issuer.sign({
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential', 'UniversityDegreeCredential'],
      issuer: on.issuer.did,
      iss: on.issuer.did,
    });
    const request = await on.ask(DEGREE_REQUEST);
    const { nonce, clientId: aud } = request;
    const verifiableCredential = [
      { type: 'EnvelopedVerifiableCredential', id: `data:application/vc+jwt,${credential}` },
    ];
    const vp = {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: 'VerifiablePresentation',
      verifiableCredential,
    };
    const vp_token = await on.holder.sign({ ...vp, iss: on.holder.did, nonce, aud });
    const { id } = await on.definition(request);
    const presentation_submission = submissionFor(id, { UniversityDegreeCredential: '$.verifiableCredential[0]' });
    expect((await post(request.state, { vp_token, presentation_submission })).status).to.equal(200);
  });

  const FAILURES: [string, string, number, (story: VerificationFixture) => Promise<PresentOptions> | PresentOptions][] =
    [
      ['a wrong nonce', 'nonce', 0, () => ({ claims: { nonce: 'another' } })],
      ['no nonce', 'nonce', 0, () => ({ claims: { nonce: undefined } })],
      ['another audience', 'audience', 0, () => ({ claims: { aud: 'https://other.example' } })],
      [
        'a presentation that was changed',
        'signature',
        0,
        () => ({ change: (t) => tamper(t, (p) => Object.assign(p, { x: 1 })) }),
      ],
      [
        'a presentation signed by another than its issuer',
        'signature',
        0,
        ({ issuer, holder }) => ({ holder: { ...holder, did: issuer.did } }),
      ],
      [
        'a credential that was changed',
        'signature',
        1,
        async (story) => ({ credentials: [tamper(await story.credential(), (p) => Object.assign(p, { x: 1 }))] }),
      ],
      [
        'a credential of another issuer than it says',
        'signature',
        1,
        async ({ issuer, holder }) => ({
          credentials: [await issueCredential({ ...issuer, did: holder.did }, holder)],
        }),
      ],
      [
        'a credential of another type',
        'presentation-definition',
        0,
        async (story) => ({ credentials: [await story.credential({ type: 'OpenBadgeCredential' })] }),
      ],
      ['no credential', 'presentation-definition', 0, () => ({ credentials: [] })],
    ];
  for (const [what, policy, at, options] of FAILURES)
    it(`400: refuses ${what}, names it in the result and ends the session`, async () => {
      const request = await on.ask(
        { ...DEGREE_REQUEST, vp_policies: [] },
        { errorRedirectUri: 'https://portal.example/e/$id' },
      );
      const { status, body } = await on.present(request, await options(on));
      expect(status).to.equal(400);
      expect(body.error).to.equal('invalid_request');
      expect(body.error_description).to.match(new RegExp(`^Verification policies did not succeed: .*${policy} `));
      expect(body.error_uri).to.equal(`https://portal.example/e/${request.state}`);
      const session = await on.session(request);
      expect(session.verificationResult).to.equal(false);
      const failed = session.policyResults.results[at].policies.filter((line: PolicyLine) => !line.is_success);
      expect(failed.map((line: PolicyLine) => line.policy)).to.include(policy);
      expect((await on.present(request)).status).to.equal(409);
    });

  it('400: refuses unsigned tokens and keys of the wrong kind', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const none = (token: string) => {
      const header = Buffer.from(JSON.stringify({ alg: 'none', kid: on.holder.kid })).toString('base64url');
      return `${header}.${token.split('.')[1]}.`;
    };
    expect((await on.present(request, { change: none })).status).to.equal(400);
    expect((await on.session(request)).verificationResult).to.equal(false);
  });

  it('400: a token that is not a presentation fails and ends the session', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const vp_token = await (await jwkParty()).sign({ kati: 'allo' });
    expect((await post(request.state, { ...(await on.form(request)), vp_token })).status).to.equal(400);
    expect((await on.session(request)).verificationResult).to.equal(false);
  });

  it('400: a response that cannot be parsed leaves the session open', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const good = await on.form(request);
    const { vp_token: token = '', presentation_submission: submission = '' } = good;
    const broken: Record<string, string>[] = [
      { presentation_submission: submission },
      { vp_token: token },
      { ...good, vp_token: 'nonsense' },
      { ...good, vp_token: `${token}=` },
      { ...good, vp_token: JSON.stringify([token, 7]) },
      { ...good, vp_token: '[]' },
      { ...good, vp_token: JSON.stringify(Array(65).fill(token)) },
      { ...good, vp_token: '{"a":"b"}' },
      { ...good, presentation_submission: '{' },
      { ...good, presentation_submission: '[]' },
      { ...good, presentation_submission: '{"descriptor_map":[{"id":"a"}]}' },
      { ...good, presentation_submission: '{"descriptor_map":[],"__proto__":{}}' },
      { ...good, state: 'another' },
      { ...good, vp_token: await makePresentation(on.holder, request, { credentials: ['nonsense'] }) },
      { ...good, vp_token: await makePresentation(on.holder, request, { credentials: [{ '@context': [] }] }) },
      {
        ...good,
        vp_token: await makePresentation(on.holder, request, { credentials: Array(33).fill(await on.credential()) }),
      },
    ];
    for (const form of broken) {
      const { status, body } = await post(request.state, form);
      expect(status, JSON.stringify(form).slice(0, 80)).to.equal(400);
      expect(body.error).to.equal('invalid_request');
    }
    expect((await on.session(request)).verificationResult).to.equal(undefined);
    expect((await post(request.state, good)).status).to.equal(200);
  });

  it('400: a presentation too large to match is refused at once and leaves the session open', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    const list = Array.from({ length: 30_000 }, () => 0);
    const credentials = [await on.credential({ subject: { list } })];
    const ms = await cpuMs(async () => expect((await on.present(request, { credentials })).status).to.equal(400));
    expect(ms).to.be.below(2000);
    expect((await on.present(request)).status).to.equal(200);
  });

  it('400: an error of the wallet ends the session', async () => {
    const request = await on.ask(DEGREE_REQUEST, { errorRedirectUri: 'https://portal.example/e' });
    const form = { error: 'access_denied', error_description: 'The user "declined"', state: request.state };
    const { status, body } = await post(request.state, form);
    expect(status).to.equal(400);
    expect(body).to.deep.equal({
      error: 'access_denied',
      error_description: "The user 'declined'",
      error_uri: 'https://portal.example/e',
    });
    const session = await on.session(request);
    expect(session.verificationResult).to.equal(false);
    expect(session.tokenResponse).to.deep.equal(form);
    expect(session).not.to.have.property('policyResults');
    expect((await on.present(request)).status).to.equal(409);
  });

  it('400: refuses an error code that no specification allows', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    expect((await post(request.state, { error: 'a\r\nb' })).status).to.equal(400);
    expect((await on.present(request)).status).to.equal(200);
  });

  it('404: rejects unknown and expired sessions', async () => {
    expect((await post('unknown', { error: 'x' })).status).to.equal(404);
    const request = await on.ask(DEGREE_REQUEST, { sessionTtl: '60' });
    const form = await on.form(request);
    on.server.clock.advance(60_001);
    expect((await post(request.state, form)).status).to.equal(404);
  });

  it('409: a second presentation is refused and changes nothing', async () => {
    const request = await on.ask(DEGREE_REQUEST);
    await on.present(request);
    const before = await on.session(request);
    expect((await on.present(request, { claims: { nonce: 'x' } })).status).to.equal(409);
    expect(await on.session(request)).to.deep.equal(before);
  });

  it('503: of 50 concurrent responses exactly one counts, and its webhook is called once; 409 after it', async () => {
    const hook = await new HttpPeer().listen();
    hook.routes['/hook'] = () => ({ body: {} });
    const vc_policies = ['signature', { policy: 'webhook', args: `${hook.url}/hook` }];
    const request = await on.ask({ ...DEGREE_REQUEST, vc_policies });
    const form = await on.form(request);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(request.state, form)));
    const lost = answers.filter(({ status, headers }) => status === 409 || headers.has('retry-after'));
    expect([answers.filter(({ status }) => status === 200).length, lost.length]).to.deep.equal([1, 49]);
    expect((await post(request.state, form)).status).to.equal(409);
    expect(hook.seen).to.have.length(1);
    await hook.close();
  });

  it('409: a presentation for one session is refused by another', async () => {
    const [first, second] = [await on.ask(DEGREE_REQUEST), await on.ask(DEGREE_REQUEST)];
    const { state: _, ...form } = await on.form(first);
    expect((await post(first.state, form)).status).to.equal(200);
    expect((await post(second.state, form)).status).to.equal(400);
    expect((await on.session(second)).verificationResult).to.equal(false);
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await post('x', { vp_token: 'x'.repeat(1_100_000) })).status).to.equal(413);
  });

  it('415: refuses another media type', async () => {
    const answer = await on.server.call('submitPresentation', { path: { state: 'x' }, json: {} });
    expect(answer.status).to.equal(415);
  });
});
