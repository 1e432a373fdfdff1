import { expect } from 'chai';
import { verifierServices } from '../../../composition/services/verifier.ts';
import { historyName } from '../../../domain/events/event-logs.ts';
import { sessionView as draftView } from '../../../domain/verifier/verification/draft20-view.ts';
import type { VerificationSession } from '../../../domain/verifier/verification/session.ts';
import { overOnly } from '../../../domain/verifier/verification/stored-session.ts';
import { sessionView } from '../../../domain/verifier/verification/v1-view.ts';
import type { Store } from '../../../ports/store.ts';
import { startPlatform } from '../../support/servers/platform.ts';

const END = 4_000_000_000_000;
const LEASE = { owner: 'o', until: 1 };

/** A request of the drafts as 0.9.0 and 0.10.0 stored it. */
const DRAFT = {
  verifierId: 'open',
  nonce: 'n',
  requestProfile: 'DEFAULT',
  clientId: 'https://verifier.example/openid4vc/verify/s',
  audience: 'https://verifier.example/openid4vc/verify/s',
  responseUri: 'https://verifier.example/openid4vc/verify/s',
  responseMode: 'direct_post',
  formats: ['jwt_vc_json'],
  query: { language: 'presentation-exchange', definition: { id: 'd', input_descriptors: [] } },
  vpPolicies: [],
  vcPolicies: [],
  ownPolicies: [],
};

/** A request of OpenID4VP 1.0 as these versions stored it. */
const V1 = {
  verifierId: 'open',
  flow: 'cross_device',
  isHaip: false,
  requestId: 'r',
  state: 's',
  nonce: 'n',
  clientId: 'redirect_uri:https://verifier.example/verification-session/r/response',
  responseUri: 'https://verifier.example/verification-session/r/response',
  endpointUrl: 'https://verifier.example/verification-session/r',
  responseMode: 'direct_post',
  isSigned: false,
  walletUrl: 'openid4vp://authorize',
  query: { credentials: [], credentialSets: [] },
  dcqlQuery: { credentials: [] },
  clientMetadata: { vp_formats_supported: {} },
  policies: { vc: [], specific: {} },
  redirects: {},
  expiresAt: END,
};

const { walletUrl: _, responseUri: __, state: ___, clientId: ____, ...PAGE } = V1;
const ISO = {
  ...PAGE,
  flow: 'dc_api_18013_7',
  responseMode: 'dc_api.jwt',
  dcqlQuery: {},
  expectedOrigins: ['https://shop.example'],
  mdocs: { documents: [], encryptionInfo: 'info' },
};

const RESULTS = [{ credential: 'VP', policies: [] }];
const DRAFT_OUTCOME = { tokenResponse: { vp_token: 'jwt', state: 's' }, results: RESULTS, tookMs: 5, handles: [] };
const FAILURE = { type: 'wallet_error_response', reason: 'Wallet returned OID4VP error: x', error: 'x' };

/** Every kind of record of 0.10.0, and how its session is shown. */
const DRAFTS = {
  created: [{ state: 'created', request: DRAFT }, { state: 'waiting' }, {}],
  verifying: [{ state: 'verifying', request: DRAFT, lease: LEASE }, { state: 'verifying', lease: LEASE }, {}],
  verified: [
    { state: 'verified', request: DRAFT, outcome: DRAFT_OUTCOME },
    { state: 'concluded', isAccepted: true },
    { verificationResult: true },
  ],
  failed: [
    { state: 'failed', request: DRAFT, outcome: { ...DRAFT_OUTCOME, handedOverAt: 7 } },
    { state: 'concluded', isAccepted: false },
    { verificationResult: false, handoverDate: '1970-01-01T00:00:00.007Z' },
  ],
} as const;

const SESSIONS = {
  unused: [{ state: 'unused', request: V1 }, { state: 'waiting' }, { status: 'UNUSED' }],
  'in-use': [{ state: 'in-use', request: V1 }, { state: 'fetched' }, { status: 'IN_USE' }],
  processing: [
    { state: 'processing', request: V1, lease: LEASE },
    { state: 'verifying', lease: LEASE },
    { status: 'PROCESSING_FLOW', attempted: true },
  ],
  successful: [
    { state: 'successful', request: V1, outcome: { vpToken: {}, credentials: {} }, responseCode: 'code' },
    { state: 'concluded', isAccepted: true, responseCode: 'code' },
    { status: 'SUCCESSFUL' },
  ],
  failed: [
    { state: 'failed', request: V1, outcome: { failure: FAILURE, handedOverAt: 7 } },
    { state: 'concluded', isAccepted: false },
    { status: 'FAILED', handoverDate: '1970-01-01T00:00:00.007Z' },
  ],
  iso: [{ state: 'in-use', request: ISO }, { state: 'fetched' }, { status: 'IN_USE', requestMode: 'DC_API' }],
} as const;

describe('verification sessions that version 0.10.0 stored', () => {
  let started: Awaited<ReturnType<typeof startPlatform>>;
  let store: Store;
  before(async () => {
    started = await startPlatform();
    store = started.platform.store;
  });
  after(() => started.close());

  const records = (name: string) =>
    store.collection<unknown>({ name, listed: true, sealed: true, afterRestore: 'kept' });

  for (const [id, [record, session, shown]] of Object.entries(DRAFTS))
    it(`drafts, ${id}: goes on, and is written as before`, async () => {
      const { sessions, verifier } = verifierServices(started.platform);
      await records('verifier-sessions').insert({ id, value: record, expiresAt: END });
      const found = await sessions.get(verifier, 'draft20', id);
      expect(found.value).to.deep.include(session);
      expect(found.value.request).to.deep.equal({ ...DRAFT, protocol: 'draft20' });
      expect(draftView(id, found.value)).to.deep.include(shown);
      await sessions.move(found, { change: (current) => ({ ...current }) });
      const written = await records('verifier-sessions').get({ id });
      expect(written?.value).to.deep.equal({ ...record, request: { ...DRAFT, protocol: 'draft20' } });
    });

  for (const [id, [record, session, shown]] of Object.entries(SESSIONS))
    it(`OpenID4VP 1.0 and annex C, ${id}: goes on, and is written as before`, async () => {
      const { sessions, verifier, clock } = verifierServices(started.platform);
      const protocol = id === 'iso' ? 'iso-dc-api' : 'v1';
      await records('presentation-sessions').insert({ id, value: record, expiresAt: END });
      const found = await sessions.get(verifier, 'v1', id);
      expect(found.value).to.deep.include(session);
      expect(found.value.request).to.deep.equal({ ...record.request, protocol });
      expect(sessionView(found, clock.now())).to.deep.include(shown);
      await sessions.move(found, { change: (current) => ({ ...current }) });
      const written = await records('presentation-sessions').get({ id });
      const history = { next: 1, events: [] };
      expect(written?.value).to.deep.equal({ ...record, request: { ...record.request, protocol }, history });
    });

  it('go on with the history that these versions stored beside them', async () => {
    const { sessions, verifier, watches } = verifierServices(started.platform);
    const event = { attempts: 0, dueAt: 0, at: 1, state: 'delivered', isOnce: true, body: '{}' };
    const events = ['authorization_request_requested', 'attempted_presentation'].map((type, index) => ({
      ...event,
      ...{ id: `id ${index}`, sequence: index + 1, step: type, type },
    }));
    const logs = { name: 'verification-event-logs', listed: false, sealed: true, afterRestore: 'kept' } as const;
    await records('presentation-sessions').insert({ id: 'reported', value: SESSIONS['in-use'][0], expiresAt: END });
    await store
      .collection<unknown>(logs)
      .insert({ id: '//reported', value: { next: 3, isHistory: true, events }, expiresAt: END });
    const found = await sessions.get(verifier, 'v1', 'reported');
    const change = (session: VerificationSession) => ({ ...session });
    await sessions.move(found, { change, events: ['attempted_presentation', 'data_retention_purge'] });
    const reader = await watches.open(historyName(found), 0);
    const seen: (string | undefined)[] = [];
    while (seen.length < 3) seen.push((await reader.next()).value?.type);
    await reader.return();
    expect(seen).to.deep.equal(['authorization_request_requested', 'attempted_presentation', 'data_retention_purge']);
  });

  it('are over after a backup unless they have a result', () => {
    const kept = [...Object.values(DRAFTS), ...Object.values(SESSIONS)].filter(([record]) => overOnly(record as never));
    expect(kept.map(([{ state }]) => state)).to.have.members(['verified', 'failed', 'successful', 'failed']);
  });
});
