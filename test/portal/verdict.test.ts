import { expect } from 'chai';
import { ageIn, verdictOf } from '../../portal/areas/checks/verdict.ts';
import { reasonOf, type Session } from '../../portal/queries/results.ts';

const JPEG = '_9j_4AAQSkZJRg-b';

/** A session that ended well with one credential, and the query that asked for these paths. */
const shown = (claims: object, paths: (string | null)[][] = []) => {
  const presented = { card: [{ format: 'x', type: 'x', issuer: 'x', claims }] };
  const session = { status: 'SUCCESSFUL', presented_credentials: presented } as unknown as Session;
  const credentials = [{ id: 'card', format: 'x', meta: {}, claims: paths.map((path) => ({ path })) }];
  return verdictOf(session, { credentials });
};

/** A session that failed. */
const failed = (members: object) => ({ status: 'FAILED', ...members }) as unknown as Session;

const withPolicy = (policy: string, code: string, reason = '') =>
  failed({
    failure: { type: 'vc_policy_violations', reason: 'x' },
    policy_results: {
      vp_policies: { card: { 'x/nonce-check': { success: true, errors: [] } } },
      vc_policies: [
        {
          policy: { policy: 'webhook' },
          success: false,
          code: 'not-run',
          reason: '',
          query_id: 'card',
          credential_index: 0,
        },
        { policy: { policy }, success: false, code, reason, query_id: 'card', credential_index: 0 },
      ],
      specific_vc_policies: {},
    },
  });

describe('what a counter says of a session', () => {
  it('shows what was asked for of each format, the portrait apart, and nothing else', () => {
    const paths = (claims: object, asked: (string | null)[][]) => shown(claims, asked).claims.map(({ path }) => path);
    expect(paths({ a: 1, b: { c: 2, d: 3 } }, [['b', 'c']])).to.deep.equal([['b', 'c']]);
    expect(paths({ list: [{ a: 1, b: 2 }] }, [['list', null, 'a']])).to.deep.equal([['list', 0, 'a']]);
    expect(paths({ vc: { credentialSubject: { a: 1, b: 2 } } }, [['credentialSubject', 'a']])).to.deep.equal([
      ['credentialSubject', 'a'],
    ]);
    const licence = shown({ nameSpaces: { ns: { portrait: JPEG, age: 3, other: 4 } } }, [
      ['ns', 'portrait'],
      ['ns', 'age'],
    ]);
    expect(licence.claims).to.deep.equal([{ path: ['ns', 'age'], value: 3 }]);
    expect(licence.portrait).to.equal(`data:image/jpeg;base64,${JPEG.replaceAll('_', '/').replaceAll('-', '+')}`);
    expect(paths({ a: 1, iss: 'x' }, [])).to.deep.equal([['a']]);
  });

  it('says yes only where nothing that was asked for is answered with no', () => {
    const asked = [['age_over_18']];
    expect(shown({ age_over_18: true, other: false }, asked)).to.include({ isYes: true });
    expect(shown({ age_over_18: false }, asked)).to.include({ isYes: false, reason: 'denied' });
  });

  it('names why not, and shows nothing then', () => {
    const wallet = (error: string) => failed({ failure: { type: 'wallet_error_response', reason: 'x', error } });
    for (const [session, reason] of [
      [withPolicy('revoked-status-list', 'status-set', 'The credential is revoked'), 'revoked'],
      [withPolicy('revoked-status-list', 'status-set', 'The credential is suspended'), 'suspended'],
      [withPolicy('credential-status', 'status-set'), 'status-set'],
      [withPolicy('allowed-issuer', 'issuer-not-allowed'), 'issuer-not-allowed'],
      [wallet('access_denied'), 'declined'],
      [wallet('server_error'), 'wallet-error'],
      [failed({ failure: { type: 'dcql_fulfillment', reason: 'x' } }), 'not-asked-for'],
      [failed({ failure: { type: 'id_token_validation', reason: 'x', code: 'wrong-nonce' } }), 'wrong-nonce'],
      [failed({}), 'unreadable'],
      [failed({ status: 'EXPIRED' }), 'late'],
    ] as const) {
      expect(reasonOf(session)).to.equal(reason);
      expect(verdictOf(session, {})).to.deep.include({ isYes: false, reason, claims: [] });
    }
  });

  it('counts an age on the day itself, and for dates of birth only', () => {
    const on = (value: string, today: string) => ageIn({ path: ['birth_date'], value }, new Date(`${today}T12:00:00`));
    expect(on('2000-05-17', '2018-05-16')).to.equal(17);
    expect(on('2000-05-17', '2018-05-17')).to.equal(18);
    expect(on('2000-02-29', '2018-02-28')).to.equal(17);
    expect(on('2000-02-29', '2018-03-01')).to.equal(18);
    expect(ageIn({ path: ['birthdate'], value: 'once' })).to.equal(undefined);
    expect(ageIn({ path: ['issue_date'], value: '2000-05-17' })).to.equal(undefined);
  });
});
