import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { DomainError, oauthError } from '../../../domain/foundation/errors.ts';
import { type CredentialIssuer, openIssuer } from '../../../domain/issuer/credential-issuer.ts';
import { type IssuanceEventName, tokenRequestEvent } from '../../../domain/issuer/sessions/issuance-event-names.ts';
import { historyEvent } from '../../../domain/issuer/sessions/issuance-history.ts';
import { expired } from '../../../domain/issuer/sessions/issuance-session.ts';
import { type IssuanceSessionRepository, issuanceRecords } from '../../../domain/issuer/sessions/session-repository.ts';
import { silentLog } from '../../support/servers/silent-log.ts';
import { issuanceSessions } from '../../support/stores/issuance-sessions.ts';
import { managedSession } from '../../support/stores/managed-session.ts';

const ISSUER = openIssuer('v1', 'https://issuer.example') as CredentialIssuer;
const MANAGED = {
  managed: { profileId: 'Degree', authMethod: 'PRE_AUTHORIZED', request: 'a-secret' },
  expiresAt: 2000,
} as const;
const SESSION = managedSession('s', MANAGED);

describe('history of an issuance', () => {
  let store: MemoryStore;
  let warnings: unknown[];
  let sessions: IssuanceSessionRepository;

  beforeEach(() => {
    warnings = [];
    const clock = { now: () => 1000 };
    store = new MemoryStore(clock);
    const log = { ...silentLog, warn: (...line: unknown[]) => void warnings.push(line) };
    sessions = issuanceSessions({ store, clock, log });
  });

  const insert = async (managed = SESSION.managed) => {
    await sessions.insert(ISSUER, { ...SESSION, managed }, 'credential_offer_created');
    return found();
  };
  const found = async () => {
    const session = await sessions.active(ISSUER, SESSION.id);
    if (!session) throw new Error('The session is not there');
    return session;
  };
  const events = async () => (await sessions.get(ISSUER, SESSION.id))?.value.history?.events ?? [];
  const bodies = async () => (await events()).map(({ body = '' }) => JSON.parse(body));

  it('the creation begins the history', async () => {
    await sessions.report(await insert(), 'credential_offer_retrieved');
    expect((await events()).map(({ sequence, type }) => [sequence, type])).to.deep.equal([
      [1, 'credential_offer_created'],
      [2, 'credential_offer_retrieved'],
    ]);
  });

  it('what a move issued and how it ended the session is one write with it, each with the session as it was then', async () => {
    const inserted = await insert();
    const { revision } = await sessions.move(inserted, (session) => ({ ...session, isBatch: true }), {});
    await sessions.move(await found(), (session) => ({ ...session }), { issued: ['jwt_vc_json'] });
    const ended = await sessions.move(await found(), (session) => expired(session), { issued: ['jwt_vc_json'] });
    expect([revision, ended.revision]).to.deep.equal([inserted.revision + 1, inserted.revision + 3]);
    expect((await bodies()).map(({ event, session }) => [event, session.status])).to.deep.equal([
      ['credential_offer_created', 'ACTIVE'],
      ['credential_request_w3c_vc_succeeded', 'ACTIVE'],
      ['credential_request_w3c_vc_succeeded', 'ACTIVE'],
      ['issuance_status_changed', 'EXPIRED'],
    ]);
  });

  it('a session of the drafts has no history', async () => {
    const { managed: _, history: __, ...draft } = SESSION;
    await sessions.insert(ISSUER, draft, 'credential_offer_created');
    await sessions.report(await found(), 'credential_offer_retrieved');
    expect((await found()).value.history).to.equal(undefined);
  });

  it('an event has its session without key, code, data or webhook', async () => {
    const webhook = { url: 'https://a.example', bearerToken: 'a-secret', signingSecrets: ['a-secret'] };
    const step = { ...SESSION, managed: { ...MANAGED.managed, authMethod: 'AUTHORIZED', webhook } } as const;
    const { body = '' } = historyEvent({ session: step, event: 'credential_offer_created' }, 'id');
    const session = {
      sessionId: 's',
      profileId: 'Degree',
      authenticationMethod: 'AUTHORIZED',
      credentialConfigurationId: 'Degree',
      status: 'ACTIVE',
      isClosed: false,
      expiresAt: '1970-01-01T00:00:02.000Z',
    };
    expect(JSON.parse(body)).to.deep.equal({ target: 's', event: 'credential_offer_created', session });
  });

  it('a failed step has its error, and the text of no error but those that the client learned', async () => {
    const cause = oauthError('invalid_grant', 'The "code" is unknown');
    const session = await insert();
    await sessions.report(session, 'token_request_failed', cause);
    await sessions.report(session, 'token_request_failed', new DomainError('StoreUnavailable', 'a-secret'));
    const [, one, other] = await bodies();
    expect(one).to.include({ error: 'invalid_grant', errorDescription: "The 'code' is unknown" });
    expect(other).to.include({ error: 'server_error' }).and.not.to.have.property('errorDescription');
  });

  it('each issued credential is an event; what a wallet can repeat at will has one name, which waits once', () => {
    const of = (event: IssuanceEventName, errors: (string | undefined)[]) => {
      const steps = errors.map((error, n) => {
        const cause = error && oauthError(error, 'why');
        return historyEvent({ session: SESSION, event, cause }, String(n)).step;
      });
      return new Set(steps).size;
    };
    const none = [undefined, undefined];
    expect(of('credential_request_sd_jwt_vc_succeeded', none)).to.equal(2);
    expect(of('issuance_status_changed', none)).to.equal(2);
    expect(of('credential_offer_retrieved', none)).to.equal(1);
    expect(of('credential_request_failed', ['invalid_proof', 'invalid_nonce', 'invalid_proof'])).to.equal(2);
  });

  it('a webhook gets its token in the header', async () => {
    const webhook = { url: 'https://a.example', bearerToken: 'b' };
    await sessions.insert(ISSUER, { ...SESSION, managed: { ...MANAGED.managed, webhook } });
    const log = await issuanceRecords(store).logs.get(sessions.historyOf(ISSUER, SESSION.id));
    expect(log?.value.destination).to.deep.equal({ url: 'https://a.example', authorization: 'Bearer b' });
  });

  it('a store that is down does not stop the issuance: the step is logged', async () => {
    const session = await insert();
    const down = () => Promise.reject(new DomainError('StoreUnavailable', 'down'));
    const broken = issuanceSessions({
      store: Object.assign(Object.create(store), { collection: () => ({ replace: down, get: down }) }),
      clock: { now: () => 1000 },
      log: { ...silentLog, warn: (...line) => void warnings.push(line) },
    });
    await broken.report(session, 'issuance_status_changed');
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
