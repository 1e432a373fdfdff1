import { expect } from 'chai';
import type { VerifierServices } from '../../../adapters/http/handlers/verifier.ts';
import { verifierServices } from '../../../composition/services/verifier.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { sessionView } from '../../../domain/verifier/result.ts';
import type { ClientIdentity, VerifierProfile } from '../../../domain/verifier/verifier-profile.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { makePresentation, readRequest, submissionFor, type WalletRequest } from '../../actors/wallet.ts';
import { startPlatform } from '../../support/platform.ts';

const TYPE = 'UniversityDegreeCredential';

const profileOf = (id: string, target: string, client: ClientIdentity): VerifierProfile => ({
  id,
  target,
  version: 'draft20',
  retention: { ms: 86_400_000, presented: 'keep' },
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
  const one = profileOf('one', 'acme.verifier1', { scheme: 'redirect_uri' });
  const two = profileOf('two', 'acme.verifier2', { scheme: 'pre-registered', id: 'verifier-two' });
  const sibling = profileOf('sibling', one.target, { scheme: 'redirect_uri' });
  let services: VerifierServices;
  let close: () => Promise<void>;
  let holder: Party;
  let credential: string;

  before(async () => {
    const started = await startPlatform();
    close = started.close;
    services = verifierServices(started.platform);
    holder = await jwkParty();
    credential = await issueCredential(await jwkParty(), holder, { type: TYPE });
  });
  after(() => close());

  async function ask(profile: VerifierProfile, stateId?: string): Promise<WalletRequest> {
    return readRequest(await services.creation.create(profile, { requestedCredentials: [TYPE], stateId }));
  }

  /** A response to `request` as its form, with a presentation made for `presentedTo`. */
  async function formOf(request: WalletRequest, presentedTo = request) {
    const vpToken = await makePresentation(holder, presentedTo, { credentials: [credential] });
    return { vp_token: vpToken, presentation_submission: submissionFor('d', { [TYPE]: 0 }), state: request.state };
  }

  const failuresOf = async (profile: VerifierProfile, { state }: WalletRequest): Promise<string[] | undefined> => {
    const { policyResults } = sessionView(state, (await services.sessions.get(profile, state)).value);
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
      const reply = await services.responses.receive(profile, request.state, await formOf(request));
      expect([reply, await failuresOf(profile, request)]).to.deep.equal([{ accepted: true }, []]);
    }
  });

  it('a presentation made for one is refused by the other, even with the same nonce', async () => {
    for (const [from, to] of [
      [one, two],
      [two, one],
    ] as const) {
      const [foreign, request] = [await ask(from), await ask(to)];
      const form = await formOf(request, { ...foreign, nonce: request.nonce });
      expect((await services.responses.receive(to, request.state, form)).accepted).to.equal(false);
      expect(await failuresOf(to, request)).to.deep.equal(['audience']);
    }
  });

  it('sessions are separate: those of one are unknown to the others, of the same target too', async () => {
    const request = await ask(one, 'mine');
    const form = await formOf(request);
    for (const other of [two, sibling]) {
      expect(await codeOf(services.sessions.get(other, 'mine'))).to.equal('NotFound');
      expect(await codeOf(services.responses.receive(other, 'mine', form))).to.equal('NotFound');
    }
    expect(await codeOf(ask(two, 'mine'))).to.equal(undefined);
    for (const profile of [one, sibling]) expect(await codeOf(ask(profile, 'mine'))).to.equal('Conflict');
    expect((await services.responses.receive(one, 'mine', form)).accepted).to.equal(true);
  });
});
