import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import { didJwk } from '../../dids/did-methods.ts';
import { at, badRequest, ignoring, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { HolderChoice } from '../../holdings/dids.ts';
import type { HolderDids } from '../../holdings/holder.ts';
import type { CredentialRecord } from '../../holdings/records.ts';
import { readPublicJwk } from '../../jose/jwk.ts';
import { parseJws } from '../../jose/jws.ts';
import type { DeferredCredentials } from '../delivery/deferred-credentials.ts';
import type { CredentialRequests } from '../issuance/credential-requests.ts';
import type { AccessGrant } from '../issuance/dpop-calls.ts';
import type { IssuanceClient } from '../issuance/issuance-client.ts';
import { issuedCredentials } from '../issuance/issuances.ts';
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

/** What an issuer answered to a request for a credential. */
type FetchedCredentials =
  | { credentials: string[]; transactionId?: string }
  | { refusedNonce: { description?: string } };

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
    const { tokens, offers, requests } = this.parts;
    if (step.isStored) await offers.requireRoom(walletId);
    const token = await tokens.get(walletId, step.accessToken);
    const { metadata, issuer } = await this.#issuerOf(step, token);
    const wanted = nextOf(step.configurationId, token);
    const grant = { accessToken: step.accessToken, ...(token?.dpop && { dpop: token.dpop }) };
    const proofs: KeyProofs | undefined = step.proof === undefined ? undefined : { type: 'jwt', values: [step.proof] };
    const reply = await requests.send({ metadata, wanted, proofs, ...grant });
    const refusal = refusedNonce(reply);
    if (refusal) return { refusedNonce: refusal };
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
    const answer = parseCredentialResponse(readObject(reply));
    if (step.isStored && issuer !== undefined)
      await this.#store(
        walletId,
        { ...step, ...grant, issuer, metadata, holder: await this.#holder(walletId, step.proof) },
        answer,
      );
    await tokens.delivered(walletId, step.accessToken, wanted);
    if ('credentials' in answer) return answer;
    return { credentials: [], transactionId: answer.deferred.transactionId };
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
    answer: ReturnType<typeof parseCredentialResponse>,
  ): Promise<void> {
    const { client, offers } = this.parts;
    const described = client.describe(metadata, configurationOf(metadata, configurationId));
    const isDelivered = 'credentials' in answer;
    const issued = isDelivered ? issuedCredentials(described, answer) : [];
    const deferred = isDelivered ? [] : [{ ...answer.deferred, configurationId, described }];
    const { accessToken, dpop } = grant;
    const redeemed = { accessToken, ...(dpop && { dpop }), metadata, issued, deferred };
    await offers.receive(walletId, redeemed, { holder, issuer, requireUserInput: false, notes });
  }
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
