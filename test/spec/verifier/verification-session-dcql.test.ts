import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { FORMATS } from '../../conformance/verifier/credentials.ts';
import { useServer } from '../../support/servers/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: queries and sessions have any member
type Json = Record<string, any>;

const typed = (id: string, type: string, more: Json = {}): Json => ({
  id,
  format: 'jwt_vc_json',
  meta: { type_values: [[type]] },
  ...more,
});

describe('submitAuthorizationResponse', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });

  /** Presents credentials of these types by query; returns the session. */
  async function presented(query: Json, types: Record<string, string[]>): Promise<Json> {
    const created = await vp.create(crossDevice({ dcql_query: query }));
    const request = await vp.request(created);
    const vp_token: Record<string, string[]> = {};
    for (const [id, wanted] of Object.entries(types))
      vp_token[id] = await Promise.all(
        wanted.map(async (type) => vp.presentation(request, { credential: await vp.credential({ type }) })),
      );
    await vp.respond(request, { vp_token, state: request.parameters.state });
    return vp.info(created);
  }

  it('every query must be answered, and all that are not are named', async () => {
    const query = { credentials: [typed('a', 'A'), typed('b', 'B'), typed('c', 'C')] };
    expect((await presented(query, { a: ['A'], b: ['B'], c: ['C'] })).status).to.equal('SUCCESSFUL');
    const { failure } = await presented(query, { b: ['B'] });
    expect(failure.failure).to.deep.equal({
      missing_query_ids: ['a', 'c'],
      unsatisfied_sets: [],
      successfully_validated_query_ids: ['b'],
    });
  });

  it('of each required set one option must be answered; an optional one may be left out, but not answered wrongly', async () => {
    const credential_sets = [{ options: [['a', 'b'], ['c']] }, { options: [['d']], required: false }];
    const credentials = ['a', 'b', 'c', 'd'].map((id) => typed(id, id.toUpperCase()));
    const query = { credentials, credential_sets };
    const enough: Record<string, string[]>[] = [{ a: ['A'], b: ['B'] }, { c: ['C'] }, { c: ['C'], d: ['D'] }];
    for (const fine of enough) expect((await presented(query, fine)).status).to.equal('SUCCESSFUL');
    const { failure } = await presented(query, { a: ['A'] });
    expect(failure.failure.unsatisfied_sets).to.deep.equal([{ options: [['a', 'b'], ['c']] }]);
    const wrong = await presented(query, { c: ['C'], d: ['A'] });
    expect([wrong.status, wrong.failure.failure.missing_query_ids]).to.deep.equal(['FAILED', ['d']]);
  });

  it('several credentials are for a query with multiple, and each must satisfy it', async () => {
    const several = { credentials: [typed('a', 'A', { multiple: true })] };
    const { status, presented_credentials: shown } = await presented(several, { a: ['A', 'A'] });
    expect([status, shown.a.length]).to.deep.equal(['SUCCESSFUL', 2]);
    expect((await presented(several, { a: ['A', 'B'] })).failure.type).to.equal('dcql_fulfillment');
    const single = { credentials: [typed('a', 'A')] };
    expect((await presented(single, { a: ['A', 'A'] })).failure.type).to.equal('dcql_fulfillment');
  });

  it('one of the claim sets is enough', async () => {
    const claims = [
      { id: 'type', path: ['credentialSubject', 'degree', 'type'], values: ['BachelorDegree'] },
      { id: 'grade', path: ['credentialSubject', 'degree', 'grade'] },
    ];
    const asked = (claim_sets?: string[][]) => ({ credentials: [typed('a', 'A', { claims, claim_sets })] });
    expect((await presented(asked([['grade'], ['type']]), { a: ['A'] })).status).to.equal('SUCCESSFUL');
    for (const sets of [[['grade']], undefined])
      expect((await presented(asked(sets), { a: ['A'] })).failure.type).to.equal('dcql_fulfillment');
  });

  describe('SD-JWT VCs', () => {
    const [PID] = FORMATS.sd_jwt_vc.query.credentials;
    /** Presents one; `change` changes the key binding and the token. */
    async function outcome(query: Json, change: Json = {}, more: Json = {}): Promise<Json> {
      const created = await vp.create(crossDevice({ dcql_query: { credentials: [{ ...PID, ...query }] } }, more));
      const request = await vp.request(created);
      const token = await FORMATS.sd_jwt_vc.present(request, change, server.clock.now());
      await vp.respond(request, { vp_token: { pid: [token] }, state: request.parameters.state });
      return vp.info(created);
    }
    const withoutBinding = (token: string): string => token.slice(0, token.lastIndexOf('~') + 1);

    it('without the signature of the holder only where the query says so', async () => {
      const session = await outcome({ require_cryptographic_holder_binding: false }, { token: withoutBinding });
      expect(session.status).to.equal('SUCCESSFUL');
      const { failure } = await outcome({}, { token: withoutBinding });
      expect(failure.failed_policies).to.deep.equal([
        'pid/dc+sd-jwt/kb-jwt_signature',
        'pid/dc+sd-jwt/holder-binding-check',
      ]);
    });

    it('the holder authorizes the transactions of the request, and no others', async () => {
      const item = { type: 'payment', credential_ids: ['pid'], amount: 5 };
      const asked = { openid: { transactionData: [item] } };
      const raw = Buffer.from(JSON.stringify(item)).toString('base64url');
      const hash = createHash('sha256').update(raw).digest('base64url');
      const signed = (transaction_data_hashes: string[]) => ({ binding: { transaction_data_hashes } });
      expect((await outcome({}, signed([hash]), asked)).status).to.equal('SUCCESSFUL');
      for (const [change, more] of [
        [signed(['x']), asked],
        [{}, asked],
        [signed([hash]), {}],
      ] as [Json, Json][])
        expect((await outcome({}, change, more)).failure.failed_policies).to.deep.equal([
          'pid/dc+sd-jwt/transaction-data-hash-check',
        ]);
    });
  });
});
