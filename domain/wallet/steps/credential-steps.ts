import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import type { Timers } from '../../../ports/system.ts';
import { didJwk } from '../../dids/did-methods.ts';
import { at, badRequest, ignoring, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { busy, underLease } from '../../foundation/lease.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import type { CredentialRecord } from '../../holdings/records.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import { parseJws } from '../../jose/jws.ts';
import type { DeferredCredentials } from '../delivery/deferred-credentials.ts';
import type { CredentialRequests } from '../issuance/credential-requests.ts';
import type { AccessGrant } from '../issuance/dpop-calls.ts';
import {
  type HeldOffer,
  type InterruptedOffer,
  type InterruptedOffers,
  interrupted,
  isRefusal,
} from '../issuance/interrupted-offers.ts';
import type { IssuanceClient } from '../issuance/issuance-client.ts';
import { issuedCredentials, type RedeemedOffer } from '../issuance/issuances.ts';
import { configurationOf, type IssuerDirectory } from '../issuance/issuer-directory.ts';
import type { IssuerNonces } from '../issuance/issuer-nonces.ts';
import type { OfferRedemption } from '../issuance/offer-redemption.ts';
import { parseCredentialResponse, type WantedCredential } from '../issuance/openid4vci.ts';
import type { KeyProofs, PossessionProofs } from '../issuance/possession-proofs.ts';
import { isSuccess, ProtocolClient, readObject, sanitizeReason } from '../protocol-client.ts';
import type { StepToken, StepTokens } from './step-tokens.ts';

/** A proof to sign. */
interface ProofRequest extends HolderChoice {
  issuer: string;
  configurationId: string;
  nonce?: string;
  clientId?: string;
}

/** A credential to request with what earlier steps gave. */
interface CredentialStep {
  credentialEndpoint: string;
  accessToken: string;
  configurationId: string;
  proof?: string;
  issuer?: string;
  isStored: boolean;
  notes?: Pick<CredentialRecord, 'label' | 'metadata'>;
}

/** A credential that is delivered later; what names it is needed where the wallet does not wait for it. */
interface DeferredStep extends Pick<CredentialStep, 'issuer' | 'notes'> {
  transactionId: string;
  deferredEndpoint?: string;
  accessToken?: string;
  configurationId?: string;
}

/** A credential that was requested, of whom and for whom. */
interface Requested extends AccessGrant, Pick<CredentialStep, 'configurationId' | 'notes'> {
  /** Of the issuer. */
  metadata: JsonObject;
  issuer: string;
  /** A DID. */
  holder: string;
}

/** A credential response. */
type CredentialAnswer = ReturnType<typeof parseCredentialResponse>;

/** The nonce of a proof that an issuer does not take. */
interface RefusedNonce {
  refusedNonce: { description?: string };
}

/** What an issuer answered to a request for a credential. */
type FetchedCredentials = { credentials: string[]; transactionId?: string } | RefusedNonce;

/** Nonces, proofs and credentials, step by step (OpenID4VCI 1.0 §7, §8). */
export class CredentialSteps {
  readonly #client: ProtocolClient;

  constructor(
    private readonly parts: {
      outbound: Outbound;
      dids: HolderDids;
      directory: IssuerDirectory;
      client: Pick<IssuanceClient, 'describe'>;
      requests: CredentialRequests;
      proofs: PossessionProofs;
      nonces: IssuerNonces;
      offers: OfferRedemption;
      deferred: DeferredCredentials;
      tokens: StepTokens;
      interrupted: InterruptedOffers;
      timers: Timers;
    },
  ) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /** Undefined for an issuer without nonces. @throws DomainError `BadRequest`, `UpstreamFailed`, `UpstreamTimeout` */
  async requestNonce(issuer: string): Promise<string | undefined> {
    const { directory, nonces } = this.parts;
    return nonces.fresh({ metadata: await directory.metadata(issuer) });
  }

  /** @throws DomainError `BadRequest` naming `key`, `keyId` or `did`, or for a proof that the wallet cannot make */
  async signProof(
    walletId: string,
    { issuer, configurationId, nonce, clientId, ...choice }: ProofRequest,
  ): Promise<string> {
    const { directory, dids, proofs } = this.parts;
    const metadata = await directory.metadata(issuer);
    const holder = await dids.signingDid(walletId, choice);
    at(['credentialConfigurationId'], () => configurationNamed(metadata, configurationId));
    const { type, values } = await proofs.create({ metadata, configurationId, nonce, clientId }, [holder]);
    if (type === 'jwt') return values[0] ?? '';
    throw badRequest('The issuer takes key attestations in place of signed proofs: receive the offer in one call');
  }

  /**
   * Requests a credential, and stores it when asked to.
   * @throws DomainError `BadRequest` naming the member, or with the issuer's code, `Conflict` when the wallet is full,
   * `UpstreamFailed`, `UpstreamTimeout`
   */
  async fetch(walletId: string, step: CredentialStep): Promise<FetchedCredentials> {
    const { tokens, offers } = this.parts;
    if (step.isStored) await offers.requireRoom(walletId);
    const token = await tokens.get(walletId, step.accessToken);
    const { metadata, issuer } = await this.#issuerOf(step, token);
    const wanted = nextOf(step.configurationId, token);
    const grant = { accessToken: step.accessToken, ...(token?.dpop && { dpop: token.dpop }) };
    const request = () => this.#request({ metadata, wanted, ...grant }, step.proof);
    const fetched =
      step.isStored && issuer !== undefined
        ? await this.#fetchInto(
            walletId,
            { ...step, ...grant, wanted, issuer, metadata, holder: await this.#holder(walletId, step.proof) },
            request,
          )
        : await request();
    if ('refusedNonce' in fetched) return fetched;
    if (!step.isStored) await tokens.delivered(walletId, step.accessToken, wanted);
    if ('credentials' in fetched) return fetched;
    return { credentials: [], transactionId: fetched.deferred.transactionId };
  }

  async #request(
    request: Omit<Parameters<CredentialRequests['send']>[0], 'proofs'>,
    proof: string | undefined,
  ): Promise<CredentialAnswer | RefusedNonce> {
    const proofs: KeyProofs | undefined = proof === undefined ? undefined : { type: 'jwt', values: [proof] };
    const reply = await this.parts.requests.send({ ...request, proofs });
    const refusal = refusedNonce(reply);
    if (refusal) return { refusedNonce: refusal };
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
    return parseCredentialResponse(readObject(reply));
  }

  /**
   * Requests a credential and stores it. What the issuer gives is kept before anything is done with it: after a failure of
   * the store, or the end of the process, the same call for 30 days stores that, and asks for nothing.
   */
  async #fetchInto(
    walletId: string,
    requested: Requested & { wanted: WantedCredential },
    request: () => Promise<CredentialAnswer | RefusedNonce>,
  ): Promise<CredentialAnswer | RefusedNonce> {
    const { interrupted: kept, timers, tokens } = this.parts;
    const { wanted, metadata, accessToken, dpop, holder: did, issuer, notes } = requested;
    const name = JSON.stringify([accessToken, wanted.configurationId, wanted.identifier]);
    const begun = { metadata, accessToken, dpop, issued: [], deferred: [], wanted: [wanted] };
    const held = await this.#hold(walletId, name, { running: begun, did, issuer });
    const { running } = held.offer;
    // What was not delivered yet is for the key of this proof.
    const holder = running.wanted.length > 0 ? did : held.offer.did;
    held.offer.did = holder;
    const note = () => kept.note(held);
    const end = () => kept.end(held).catch(ignoring('StoreUnavailable'));
    try {
      const fetched = await underLease(timers, note, async () => {
        if (running.wanted.length > 0) {
          const answer = await request();
          if ('refusedNonce' in answer) return answer;
          Object.assign(running, this.#delivered(requested, answer), { wanted: [] });
          await note();
        }
        const delivered = answerOf(running);
        await this.parts.offers.receive(walletId, running, { holder, issuer, requireUserInput: false, notes });
        await tokens.delivered(walletId, accessToken, wanted);
        return delivered;
      });
      await end();
      return fetched;
    } catch (error) {
      if (running.wanted.length > 0) {
        await end();
        throw error;
      }
      const keep = () => kept.keep(walletId, name, held);
      const failure = await interrupted(error, { isDelivered: true, keep, again: 'Send the same request again' });
      if (failure === error && isRefusal(error)) await end();
      throw failure;
    }
  }

  /** @throws DomainError `Busy` while another request with the same token works on it */
  async #hold(walletId: string, name: string, begun: InterruptedOffer): Promise<HeldOffer> {
    const { interrupted: kept } = this.parts;
    const isKnown = async () => (await kept.get(walletId, name)) !== undefined;
    const held = (await isKnown()) ? await kept.take(walletId, name) : await kept.begin(walletId, name, begun);
    if (!held || (!held.held && (await isKnown()))) throw busy();
    return held;
  }

  /**
   * Asks for a credential that an issuer delivers later: one that the wallet waits for, else one that the caller describes.
   * @throws DomainError `NotFound`, `BadRequest` naming the member, and as `DeferredCredentials.poll`
   */
  async collect(walletId: string, { transactionId, ...stated }: DeferredStep): Promise<string[]> {
    const { deferred, tokens } = this.parts;
    const asked = await deferred.poll(walletId, transactionId).catch(ignoring('NotFound'));
    const ids = asked?.credentials.map(({ id }) => id) ?? (await deferred.delivered(walletId, transactionId));
    if (ids) return ids;
    if (stated.accessToken !== undefined) {
      const { accessToken, deferredEndpoint, issuer, configurationId, notes } = stated;
      const token = await tokens.get(walletId, accessToken);
      const named = issuer ?? token?.issuer;
      if (named === undefined || configurationId === undefined)
        throw invalidField(
          [named === undefined ? 'credentialIssuerBaseUrl' : 'credentialConfigurationId'],
          'is required',
        );
      const metadata = await this.parts.directory.metadata(named);
      if (deferredEndpoint !== undefined && metadata.deferred_credential_endpoint !== deferredEndpoint)
        throw invalidField(['deferredCredentialEndpoint'], 'is not that of the issuer');
      const grant = { accessToken, ...(token?.dpop && { dpop: token.dpop }) };
      const kept = { ...grant, metadata, issuer: named, configurationId, notes, holder: await this.#holder(walletId) };
      await this.#store(walletId, kept, { deferred: { transactionId, isToken: false, intervalSeconds: 0 } });
    }
    return (await deferred.poll(walletId, transactionId)).credentials.map(({ id }) => id);
  }

  /** The DID that a credential is requested for: that of the proof, else the one that the wallet signs with. */
  async #holder(walletId: string, proof?: string): Promise<string> {
    return proof === undefined
      ? (await this.parts.dids.signingDid(walletId)).did
      : at(['proofJwt'], () => signerOf(proof));
  }

  /** The metadata of the issuer that a credential is requested of; those of an unknown one say only where it is asked. */
  async #issuerOf(
    step: CredentialStep,
    token: StepToken | undefined,
  ): Promise<{ metadata: JsonObject; issuer?: string }> {
    const { credentialEndpoint: endpoint, isStored } = step;
    if (token?.issuer !== undefined && step.issuer !== undefined && step.issuer !== token.issuer)
      throw invalidField(['credentialIssuerBaseUrl'], 'is not the issuer of the access token');
    const issuer = step.issuer ?? token?.issuer;
    if (issuer === undefined) {
      if (isStored) throw invalidField(['credentialIssuerBaseUrl'], 'is required to check what is stored');
      return { metadata: { credential_endpoint: endpoint, nonce_endpoint: endpoint } };
    }
    const metadata = await this.parts.directory.metadata(issuer);
    if (metadata.credential_endpoint !== endpoint)
      throw invalidField(['credentialEndpoint'], 'is not that of the issuer');
    return { metadata, issuer };
  }

  /** Stores what was delivered, or keeps what is delivered later. */
  async #store(
    walletId: string,
    { configurationId, metadata, notes, holder, issuer, ...grant }: Requested,
    answer: CredentialAnswer,
  ): Promise<void> {
    const { accessToken, dpop } = grant;
    const delivered = this.#delivered({ metadata, configurationId }, answer);
    const redeemed = { accessToken, ...(dpop && { dpop }), metadata, ...delivered };
    await this.parts.offers.receive(walletId, redeemed, { holder, issuer, requireUserInput: false, notes });
  }

  /** What an answer delivers or defers. */
  #delivered(
    { metadata, configurationId }: Pick<Requested, 'metadata' | 'configurationId'>,
    answer: CredentialAnswer,
  ): Pick<RedeemedOffer, 'issued' | 'deferred'> {
    const described = this.parts.client.describe(metadata, configurationOf(metadata, configurationId));
    if ('credentials' in answer) return { issued: issuedCredentials(described, answer), deferred: [] };
    return { issued: [], deferred: [{ ...answer.deferred, configurationId, described }] };
  }
}

/** The answer that was kept. */
function answerOf({ issued, deferred: [pending] }: RedeemedOffer): CredentialAnswer {
  return pending ? { deferred: pending } : { credentials: issued.map(({ credential }) => credential) };
}

/** @throws DomainError `BadRequest` for a configuration that the issuer does not have */
function configurationNamed(metadata: JsonObject, id: string): void {
  const { credential_configurations_supported: all } = metadata;
  if (!isObject(all) || !Object.hasOwn(all, id)) throw invalidField([], 'is no configuration of the issuer');
}

/** The credential to request next: the identifiers that came with the token come first (OpenID4VCI 1.0 §8.2). */
const nextOf = (configurationId: string, token: StepToken | undefined): WantedCredential =>
  token?.wanted.find((one) => one.configurationId === configurationId) ?? { configurationId };

function refusedNonce(reply: OutboundReply): { description?: string } | undefined {
  const { error, error_description: description } = readObject(reply) ?? {};
  if (isSuccess(reply) || error !== 'invalid_nonce') return undefined;
  return isText(description) ? { description: sanitizeReason(description) } : {};
}

/** The DID whose key signed a proof. @throws DomainError `BadRequest` */
function signerOf(proof: string): string {
  const { kid, jwk } = parseJws(proof, 'The proof').header;
  if (isText(kid) && kid.startsWith('did:')) return kid.split('#', 1)[0] ?? kid;
  return didJwk(readPublicJwk(jwk));
}
