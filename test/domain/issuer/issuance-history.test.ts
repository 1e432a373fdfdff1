import { expect } from 'chai';
import type { NewEvent } from '../../../domain/events/event-log.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import {
  credentialRequestEvent,
  type IssuanceEventName,
  tokenRequestEvent,
} from '../../../domain/issuer/sessions/issuance-event-names.ts';
import { IssuanceHistory, type ReportedSession } from '../../../domain/issuer/sessions/issuance-history.ts';

const SESSION: ReportedSession = {
  id: 's',
  history: 's',
  expiresAt: 1,
  view: {
    sessionId: 's',
    status: 'ACTIVE',
    issuerKey: { type: 'jwk', jwk: { d: 'a-secret' } },
    code: 'a-secret',
    credentialData: { name: 'Ada' },
    notifications: { webhook: { bearerToken: 'a-secret' } },
  },
};

describe('history of an issuance', () => {
  let recorded: NewEvent[];
  let warnings: unknown[];
  let ids: number;
  let fails: boolean;
  let history: IssuanceHistory;

  beforeEach(() => {
    [recorded, warnings, ids, fails] = [[], [], 0, false];
    const ignore = () => {};
    history = new IssuanceHistory({
      delivery: {
        record: async (event) => {
          if (fails) throw new DomainError('StoreUnavailable', 'down');
          recorded.push(event);
        },
        bodyOfStep: async (_session, name) => recorded.find(({ step }) => step === name)?.body,
      },
      ids: { uuid: () => `id-${++ids}` },
      log: { debug: ignore, info: ignore, error: ignore, warn: (...line) => void warnings.push(line) },
    });
  });
  const bodies = () => recorded.map(({ body = '' }) => JSON.parse(body));

  it('a step that happens once is recorded once', async () => {
    for (const _ of [1, 2]) await history.report(SESSION, { event: 'credential_offer_created', step: 'creation' });
    expect(recorded.map(({ step, isOnce }) => [step, isOnce])).to.deep.equal([['creation', true]]);
  });

  it('an event has its session without key, code, data or webhook', async () => {
    await history.report(SESSION, { event: 'credential_offer_created', requestId: 'r' });
    expect(bodies()).to.deep.equal([
      { target: 's', event: 'credential_offer_created', requestId: 'r', session: { sessionId: 's', status: 'ACTIVE' } },
    ]);
    expect(recorded[0]).to.include({ session: 's', isHistory: true, type: 'credential_offer_created', expiresAt: 1 });
  });

  it('a failed step has its error; what happens by itself has no request', async () => {
    const errorDescription = 'The code is unknown';
    await history.report(SESSION, { event: 'token_request_failed', error: 'invalid_grant', errorDescription });
    expect(bodies()[0]).to.include({ error: 'invalid_grant', errorDescription });
    expect(bodies()[0]).not.to.have.property('requestId');
  });

  it('each issued credential is an event; what a wallet can repeat at will has one name, which waits once', async () => {
    const of = async (event: IssuanceEventName, errors: (string | undefined)[]) => {
      recorded = [];
      for (const error of errors) await history.report(SESSION, { event, error });
      return [new Set(recorded.map(({ step }) => step)).size, recorded.some(({ isOnce }) => isOnce)];
    };
    const none = [undefined, undefined];
    expect(await of('credential_request_sd_jwt_vc_succeeded', none)).to.deep.equal([2, false]);
    expect(await of('issuance_status_changed', none)).to.deep.equal([2, false]);
    expect(await of('credential_offer_retrieved', none)).to.deep.equal([1, false]);
    expect(await of('credential_request_failed', ['invalid_proof', 'invalid_nonce', 'invalid_proof'])).to.deep.equal([
      2,
      false,
    ]);
  });

  it('a webhook gets its token in the header', async () => {
    const webhook = { url: 'https://a.example', bearerToken: 'b' };
    await history.report({ ...SESSION, webhook }, { event: 'nonce_request_succeeded' });
    expect(recorded[0]?.destination).to.deep.equal({ url: 'https://a.example', authorization: 'Bearer b' });
  });

  it('a store that is down does not stop the issuance: the step is logged', async () => {
    fails = true;
    await history.report(SESSION, { event: 'issuance_status_changed' });
    expect(JSON.stringify(warnings)).to.include('issuance_status_changed').and.not.include('a-secret');
  });

  it('names requests by grant and by format, and only failures without them', () => {
    const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
    expect([
      tokenRequestEvent(preAuthorized, 'succeeded'),
      tokenRequestEvent('authorization_code', 'failed'),
      tokenRequestEvent('refresh_token', 'succeeded'),
      tokenRequestEvent('constructor', 'failed'),
      credentialRequestEvent('jwt', 'succeeded'),
      credentialRequestEvent('sdjwt', 'failed'),
      credentialRequestEvent('mdoc', 'succeeded'),
      credentialRequestEvent(undefined, 'failed'),
    ]).to.deep.equal([
      'token_request_pre_authorized_code_succeeded',
      'token_request_authorization_code_failed',
      'token_request_refresh_token_succeeded',
      'token_request_failed',
      'credential_request_w3c_vc_succeeded',
      'credential_request_sd_jwt_vc_failed',
      'credential_request_mso_mdoc_succeeded',
      'credential_request_failed',
    ]);
  });
});
