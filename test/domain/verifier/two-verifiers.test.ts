import { expect } from 'chai';
import type { VerifierServices } from '../../../adapters/http/handlers/verifier.ts';
import { verifierServices } from '../../../composition/services/verifier.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import type { ClientIdentity } from '../../../domain/verifier/protocol.ts';
import { sessionView } from '../../../domain/verifier/verification/draft20-view.ts';
import type { DraftVerifier } from '../../../domain/verifier/verifier.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { makePresentation, readRequest, submissionFor, type WalletRequest } from '../../actors/wallet.ts';
import { startPlatform } from '../../support/servers/platform.ts';

const TYPE = 'UniversityDegreeCredential';

const draftsOf = (id: string, client: ClientIdentity): DraftVerifier['draft20'] => ({
  baseUrl: `https://${id}.example/openid4vc`,
  client,
  identifier: `https://${id}.example`,
  sanDns: `${id}.example`,
  needsHolder: false,
});

/** The code of the error that a call ends with. */
const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: DomainError) => error.code,
  );

describe('two verifiers in one process, over the same services and one store', () => {
  let one: DraftVerifier;
  let two: DraftVerifier;
  let sibling: DraftVerifier;
  let services: VerifierServices;
  let close: () => Promise<void>;
  let holder: Party;
  let credential: string;

  before(async () => {
    const started = await startPlatform();
    close = started.close;
    services = verifierServices(started.platform);
    const verifierOf = (id: string, target: string, client: ClientIdentity): DraftVerifier => ({
      ...services.verifier,
      id,
      target,
      draft20: draftsOf(id, client),
    });
    one = verifierOf('one', 'acme.verifier1', { scheme: 'redirect_uri' });
    two = verifierOf('two', 'acme.verifier2', { scheme: 'pre-registered', id: 'verifier-two' });
    sibling = verifierOf('sibling', one.target, { scheme: 'redirect_uri' });
    holder = await jwkParty();
    credential = await issueCredential(await jwkParty(), holder, { type: TYPE });
  });
  after(() => close());

  async function ask(profile: DraftVerifier, stateId?: string): Promise<WalletRequest> {
    return readRequest(await services.creation.start(profile, { requestedCredentials: [TYPE], stateId }));
  }

  /** A response to `request` as its form, with a presentation made for `presentedTo`. */
  async function formOf(request: WalletRequest, presentedTo = request) {
    const vpToken = await makePresentation(holder, presentedTo, { credentials: [credential] });
    return { vp_token: vpToken, presentation_submission: submissionFor('d', { [TYPE]: 0 }), state: request.state };
  }

  const receive = async (profile: DraftVerifier, state: string, form: Record<string, unknown>) =>
    services.responses.receive(profile, await services.sessions.get(profile, 'draft20', state), form);

  const failuresOf = async (profile: DraftVerifier, { state }: WalletRequest): Promise<string[] | undefined> => {
    const { policyResults } = sessionView(state, (await services.sessions.get(profile, 'draft20', state)).value);
    return policyResults?.results.flatMap(({ policies }) => policies.flatMap((p) => (p.is_success ? [] : p.policy)));
  };

  it('each names itself and its own URLs', async () => {
    const [first, second] = [await ask(one, 'state'), await ask(two, 'state')];
    const names = ({ params }: WalletRequest) =>
      ['client_id', 'client_id_scheme', 'response_uri', 'presentation_definition_uri'].map((name) => params.get(name));
    const urls = (id: string) => ['verify', 'pd'].map((path) => `https://${id}.example/openid4vc/${path}/state`);
    expect(names(first)).to.deep.equal([urls('one')[0], 'redirect_uri', ...urls('one')]);
    expect(names(second)).to.deep.equal(['verifier-two', 'pre-registered', ...urls('two')]);
  });

  it('each accepts a presentation that was made for it', async () => {
    for (const profile of [one, two]) {
      const request = await ask(profile);
      const reply = await receive(profile, request.state, await formOf(request));
      expect([reply, await failuresOf(profile, request)]).to.deep.equal([
        { kind: 'taken', status: 'received', redirectUri: undefined },
        [],
      ]);
    }
  });

  it('a presentation made for one is refused by the other, even with the same nonce', async () => {
    for (const [from, to] of [
      [one, two],
      [two, one],
    ] as const) {
      const [foreign, request] = [await ask(from), await ask(to)];
      const form = await formOf(request, { ...foreign, nonce: request.nonce });
      expect((await receive(to, request.state, form)).kind).to.equal('rejected');
      expect(await failuresOf(to, request)).to.deep.equal(['audience']);
    }
  });

  it('sessions are separate: those of one are unknown to the others, of the same target too', async () => {
    const request = await ask(one, 'mine');
    const form = await formOf(request);
    for (const other of [two, sibling]) {
      expect(await codeOf(services.sessions.get(other, 'draft20', 'mine'))).to.equal('NotFound');
      expect(await codeOf(receive(other, 'mine', form))).to.equal('NotFound');
    }
    expect(await codeOf(ask(two, 'mine'))).to.equal(undefined);
    for (const profile of [one, sibling]) expect(await codeOf(ask(profile, 'mine'))).to.equal('Conflict');
    expect((await receive(one, 'mine', form)).kind).to.equal('taken');
  });
});
