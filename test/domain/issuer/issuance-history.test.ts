import { expect } from 'chai';
import type { NewEvent } from '../../../domain/events/event-log.ts';
import { DomainError, oauthError } from '../../../domain/foundation/errors.ts';
import { type IssuanceEventName, tokenRequestEvent } from '../../../domain/issuer/sessions/issuance-event-names.ts';
import { IssuanceEvents } from '../../../domain/issuer/sessions/issuance-events.ts';
import { expired } from '../../../domain/issuer/sessions/issuance-session.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { managedSession } from '../../support/stores/managed-session.ts';

const SESSION = managedSession('s', { expiresAt: 1 });
const FOREIGN = () => {
  throw new Error('A history has no callback');
};

describe('history of an issuance', () => {
  let recorded: NewEvent[];
  let calls: ('first' | 'next')[];
  let warnings: unknown[];
  let ids: number;
  let fails: boolean;
  let events: IssuanceEvents;

  beforeEach(() => {
    [recorded, calls, warnings, ids, fails] = [[], [], [], 0, false];
    const ignore = () => {};
    events = new IssuanceEvents({
      delivery: {
        record: async (source, events, place) => {
          if (fails) throw new DomainError('StoreUnavailable', 'down');
          calls.push(place?.isFirst ? 'first' : 'next');
          recorded.push(...events.map((event) => ({ ...source, ...event })));
        },
        bodyOfStep: async (_session, name) => recorded.find(({ step }) => step === name)?.body,
        append: FOREIGN,
        deliver: FOREIGN,
      },
      outbound: { check: FOREIGN, send: FOREIGN },
      formats: testFormats,
      ids: { uuid: () => `id-${++ids}` },
      log: { debug: ignore, info: ignore, error: ignore, warn: (...line) => void warnings.push(line) },
    });
  });
  const bodies = () => recorded.map(({ body = '' }) => JSON.parse(body));

  it('the creation begins the history', async () => {
    await events.created(SESSION);
    await events.report(SESSION, 'credential_offer_retrieved');
    expect(recorded.map(({ step, isOnce }) => [step, isOnce])[0]).to.deep.equal(['credential_offer_created', true]);
    expect(calls).to.deep.equal(['first', 'next']);
  });

  it('what a move issued and how it ended the session is one write, each with the session as it was then', async () => {
    await events.moved(SESSION, SESSION, []);
    expect(calls).to.deep.equal([]);
    await events.moved(SESSION, SESSION, ['jwt_vc_json']);
    await events.moved(SESSION, expired(SESSION), ['jwt_vc_json']);
    expect(calls).to.deep.equal(['next', 'next']);
    expect(bodies().map(({ event, session }) => [event, session.status])).to.deep.equal([
      ['credential_request_w3c_vc_succeeded', 'ACTIVE'],
      ['credential_request_w3c_vc_succeeded', 'ACTIVE'],
      ['issuance_status_changed', 'EXPIRED'],
    ]);
  });

  it('a session of the drafts has no history', async () => {
    await events.created({ ...SESSION, managed: undefined });
    await events.report({ ...SESSION, managed: undefined }, 'credential_offer_retrieved');
    expect(recorded).to.deep.equal([]);
  });

  it('an event has its session without key, code, data or webhook', async () => {
    const webhook = { url: 'https://a.example', bearerToken: 'a-secret', signingSecrets: ['a-secret'] };
    const managed = {
      profileId: 'Degree',
      authMethod: 'AUTHORIZED',
      webhook,
      request: 'a-secret',
    } as const;
    await events.created({ ...SESSION, managed });
    const session = {
      sessionId: 's',
      profileId: 'Degree',
      authenticationMethod: 'AUTHORIZED',
      credentialConfigurationId: 'Degree',
      status: 'ACTIVE',
      isClosed: false,
      expiresAt: '1970-01-01T00:00:00.001Z',
    };
    expect(bodies()).to.deep.equal([{ target: 's', event: 'credential_offer_created', session }]);
    const common = { session: 's', isHistory: true, type: 'credential_offer_created' };
    expect(recorded[0]).to.include({ ...common, expiresAt: 600_001 });
  });

  it('a failed step has its error, and the text of no error but those that the client learned', async () => {
    const cause = oauthError('invalid_grant', 'The "code" is unknown');
    await events.report(SESSION, 'token_request_failed', cause);
    await events.report(SESSION, 'token_request_failed', new DomainError('StoreUnavailable', 'a-secret'));
    expect(bodies()[0]).to.include({ error: 'invalid_grant', errorDescription: "The 'code' is unknown" });
    expect(bodies()[1]).to.include({ error: 'server_error' }).and.not.to.have.property('errorDescription');
  });

  it('each issued credential is an event; what a wallet can repeat at will has one name, which waits once', async () => {
    const of = async (event: IssuanceEventName, errors: (string | undefined)[]) => {
      recorded = [];
      for (const error of errors) await events.report(SESSION, event, error && oauthError(error, 'why'));
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
    const managed = { profileId: 'Degree', authMethod: 'AUTHORIZED', webhook, request: 'digest' } as const;
    await events.report({ ...SESSION, managed }, 'nonce_request_succeeded');
    expect(recorded[0]?.destination).to.deep.equal({ url: 'https://a.example', authorization: 'Bearer b' });
  });

  it('a store that is down does not stop the issuance: the step is logged', async () => {
    fails = true;
    await events.report(SESSION, 'issuance_status_changed');
    expect(JSON.stringify(warnings)).to.include('issuance_status_changed').and.not.include('secret');
  });

  it('names token requests by grant, and only failures without one', () => {
    const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
    expect([
      tokenRequestEvent(preAuthorized, 'succeeded'),
      tokenRequestEvent('authorization_code', 'failed'),
      tokenRequestEvent('refresh_token', 'succeeded'),
      tokenRequestEvent('constructor', 'failed'),
    ]).to.deep.equal([
      'token_request_pre_authorized_code_succeeded',
      'token_request_authorization_code_failed',
      'token_request_refresh_token_succeeded',
      'token_request_failed',
    ]);
  });
});
