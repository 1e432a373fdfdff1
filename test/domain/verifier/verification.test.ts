import { expect } from 'chai';
import { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import { descriptorOfType } from '../../../domain/presentation/exchange/definition.ts';
import { hashOf } from '../../../domain/presentation/transaction-data.ts';
import type { VerificationTask } from '../../../domain/verifier/protocol.ts';
import { inOrder } from '../../../domain/verifier/verification/evaluation.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { TOY_FORMAT } from '../../support/credentials/toy-format.ts';
import { testVerification } from '../../support/credentials/verification.ts';

const [standard, ...others] = testFormats.all;
const formats = new CredentialFormats(standard, ...others, TOY_FORMAT);

const verification = testVerification(formats);

const BOUND = { nonce: 'n-1', audience: 'https://verifier.example/response' };
const OPEN = { vpPolicies: [], vcPolicies: [{ policy: 'signature' }], ownPolicies: [] };

const exchange = (...types: string[]): VerificationTask => ({
  ...BOUND,
  ...OPEN,
  query: {
    language: 'presentation-exchange',
    definition: { id: 'd', input_descriptors: types.map((type) => descriptorOfType(type, type)) },
  },
});

const dcql = (credentials: object[], more: Partial<VerificationTask> = {}): VerificationTask => ({
  ...BOUND,
  ...OPEN,
  query: {
    language: 'dcql',
    query: readDcqlQuery(
      { credentials: credentials.map((one) => ({ format: 'jwt_vc_json', meta: {}, ...one })) },
      testFormats,
    ),
  },
  ...more,
});

/** The names of the results with those of the failed policies. */
async function outcome(task: VerificationTask, response: { vpToken: string; submission?: string }) {
  const results = await verification.evaluatePolicies(task, await verification.read(task, response), Date.now());
  return inOrder(results).map(({ credential, policies }) => [
    credential,
    policies.flatMap(({ policy, is_success }) => (is_success ? [] : policy)),
  ]);
}

const submit = (places: Record<string, string>) =>
  JSON.stringify({
    id: 's',
    definition_id: 'd',
    descriptor_map: Object.entries(places).map(([id, path]) => ({
      ...{ id, format: 'jwt_vp', path },
      path_nested: { format: 'jwt_vc_json', path: '$.vp.verifiableCredential[0]' },
    })),
  });

describe('verification of several presentations', () => {
  let issuer: Party;
  let holder: Party;
  let other: Party;
  before(async () => {
    [issuer, holder, other] = await Promise.all([jwkParty(), jwkParty(), jwkParty('EdDSA')]);
  });

  const present = (by: Party, credentials: string[], { aud = BOUND.audience, nonce = BOUND.nonce } = {}) =>
    by.sign({
      ...{ iss: by.did, aud, nonce },
      vp: { type: ['VerifiablePresentation'], holder: by.did, verifiableCredential: credentials },
    });
  const credential = (type: string, of = holder) => issueCredential(issuer, of, { type });
  const presentation = async (type: string, of = holder) => present(of, [await credential(type, of)]);

  it('a list of presentations answers a definition: each has its results, followed by those of its credentials', async () => {
    const vpToken = JSON.stringify([await presentation('A'), await presentation('B', other)]);
    const good = await outcome(exchange('A', 'B'), { vpToken, submission: submit({ A: '$[0]', B: '$[1]' }) });
    const all = [
      ['VerifiablePresentation', []],
      ['A', []],
      ['VerifiablePresentation', []],
      ['B', []],
    ];
    expect(good).to.deep.equal(all);
    const swapped = await outcome(exchange('A', 'B'), { vpToken, submission: submit({ A: '$[1]', B: '$[0]' }) });
    expect(swapped.map(([, failed]) => failed)).to.deep.equal([
      ['presentation-definition'],
      [],
      ['presentation-definition'],
      [],
    ]);
    for (const path of ['$', '$[2]', '$[00001]']) {
      const [first] = await outcome(exchange('A', 'B'), { vpToken, submission: submit({ A: path, B: '$[1]' }) });
      expect(first, path).to.deep.equal(['VerifiablePresentation', ['presentation-definition']]);
    }
  });

  it('each presentation is bound on its own: one for another request fails beside a good one', async () => {
    const good = await presentation('A');
    const cases: [string, string[]][] = [
      [await present(holder, [await credential('B')], { nonce: 'n-2' }), ['nonce']],
      [await present(holder, [await credential('B')], { aud: 'https://other.example' }), ['audience']],
      [`${(await presentation('B')).slice(0, -8)}AAAAAAAA`, ['signature']],
    ];
    for (const [token, failed] of cases)
      for (const turned of [false, true]) {
        const vpToken = JSON.stringify(turned ? [token, good] : [good, token]);
        const submission = submit(turned ? { A: '$[1]', B: '$[0]' } : { A: '$[0]', B: '$[1]' });
        const results = await outcome(exchange('A', 'B'), { vpToken, submission });
        expect(results[turned ? 0 : 2]?.[1]).to.deep.equal(failed);
        expect(results[turned ? 2 : 0]?.[1]).to.deep.equal([]);
      }
  });

  it('presentations answer a DCQL query by the ids of its queries', async () => {
    const [a, b] = await Promise.all([presentation('A'), presentation('B')]);
    const task = dcql([
      { id: 'a', meta: { type_values: [['A']] } },
      { id: 'b', meta: { type_values: [['B']] } },
    ]);
    expect(await outcome(task, { vpToken: JSON.stringify({ a: [a], b: [b] }) })).to.deep.equal([
      ...[
        ['VerifiablePresentation', []],
        ['A', []],
      ],
      ...[
        ['VerifiablePresentation', []],
        ['B', []],
      ],
    ]);
    for (const vpToken of [JSON.stringify({ a: [b], b: [a] }), JSON.stringify({ a: [a] })]) {
      const [first] = await outcome(task, { vpToken });
      expect(first).to.deep.equal(['VerifiablePresentation', ['presentation-definition']]);
    }
    const both = await present(holder, [await credential('A'), await credential('B')]);
    const cases = [JSON.stringify({ a: [a], c: [b] }), JSON.stringify({ a: [both] }), JSON.stringify([a]), a, '{'];
    for (const vpToken of cases) {
      const refusal = await verification.read(task, { vpToken }).catch((error: unknown) => error);
      expect(String(refusal), vpToken.slice(0, 20)).to.match(/vp_token: /);
    }
  });

  it('a credential stands alone only for queries that need no holder, and its issuer must have signed it', async () => {
    const alone = await credential('A');
    const forged = await issueCredential({ ...other, did: issuer.did, kid: issuer.kid }, holder, { type: 'A' });
    const asked = (bound: boolean) =>
      dcql([{ id: 'a', require_cryptographic_holder_binding: bound }], { vcPolicies: [] });
    const vpToken = JSON.stringify({ a: [alone] });
    expect(await outcome(asked(false), { vpToken })).to.deep.equal([
      ['A', []],
      ['A', []],
    ]);
    expect(await outcome(asked(true), { vpToken })).to.deep.equal([
      ['A', ['signature']],
      ['A', []],
    ]);
    expect(await outcome(asked(false), { vpToken: JSON.stringify({ a: [forged] }) })).to.deep.equal([
      ['A', []],
      ['A', ['signature']],
    ]);
    const [exchanged] = await outcome(exchange('A'), { vpToken: alone, submission: submit({ A: '$' }) });
    expect(exchanged).to.deep.equal(['A', ['signature']]);
    const signedForOther = await present(holder, [alone], { nonce: 'n-2' });
    expect((await outcome(asked(false), { vpToken: JSON.stringify({ a: [signedForOther] }) }))[0]?.[1]).to.deep.equal([
      'nonce',
    ]);
  });

  it('the number of presentations, credentials and values is bounded', async () => {
    const a = await presentation('A');
    const task = dcql([{ id: 'a', multiple: true }]);
    expect(await outcome(task, { vpToken: JSON.stringify({ a: Array(64).fill(a) }) })).to.have.length(128);
    const many = await present(holder, Array(32).fill(await credential('A')));
    const wide = await present(holder, [
      await issueCredential(issuer, holder, { type: 'A', subject: { list: Array(11_000).fill(1) } }),
    ]);
    const cases: [string, RegExp][] = [
      [JSON.stringify(Array(65).fill(a)), /1 to 64 presentations/],
      [JSON.stringify([many, many, a]), /at most 64 credentials/],
      [JSON.stringify([wide, wide]), /too many values/],
    ];
    for (const [vpToken, message] of cases) {
      const refusal = await verification
        .read(exchange('A'), { vpToken, submission: submit({ A: '$[0]' }) })
        .catch((error: unknown) => error);
      expect(String(refusal)).to.match(message);
    }
    const refusal = await verification
      .read(task, { vpToken: JSON.stringify({ a: Array(65).fill(a) }) })
      .catch((error: unknown) => error);
    expect(String(refusal)).to.match(/1 to 64 presentations/);
  });

  it('a transaction that no holder authorized fails the response', async () => {
    const raw = Buffer.from(JSON.stringify({ type: 'payment', credential_ids: ['a'] })).toString('base64url');
    const task = dcql([{ id: 'a' }], { transactionData: [raw] });
    const [first] = await outcome(task, { vpToken: JSON.stringify({ a: [await presentation('A')] }) });
    expect(first).to.deep.equal(['VerifiablePresentation', ['transaction-data']]);
    expect(hashOf({ raw }, 'sha-256')).to.have.length(43);
  });
});
