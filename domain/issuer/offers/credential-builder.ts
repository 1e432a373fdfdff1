import type { HolderBinding } from '../../../ports/credential-formats.ts';
import type { Signer } from '../../../ports/key-service.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { checkContentSize } from '../../credentials/content-size.ts';
import type { ContextName, DataContext } from '../../credentials/data-functions.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { applyMapping } from '../../credentials/mapping.ts';
import type { EntryNames, StatusEntries } from '../../credentials/status-entries.ts';
import { didJwk, verificationMethod } from '../../dids/did-methods.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { type SigningFailure, signerForOthers } from '../../keys/others-signer.ts';
import type { IssuableContent } from '../sessions/issuable-content.ts';

/** What a credential is made with besides its content. */
interface BuildOptions {
  /** Signs instead of the issuer's key by its reference; its refusals are not the wallet's mistake. */
  signer?: Signer;
  /** The issuance session. */
  session?: string;
  /** The record of what the issuer issued. */
  record?: string;
}

/** The longest id of a credential by which its status entry is found. */
const MAX_ID = 2048;

/** Creates the signed credential of an offered content for its holder: mapping, status, signature. */
export class CredentialBuilder {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      formats: CredentialFormats;
      statusEntries: StatusEntries;
      outbound: Outbound;
      clock: Clock;
      ids: Ids;
    },
  ) {}

  /**
   * @throws DomainError `BadRequest` when the mapping cannot be applied or the credential has too many values,
   * `UpstreamFailed`, `UpstreamTimeout` (also when the key cannot sign), as `StatusEntries.allocate`
   */
  async build(content: IssuableContent, holder: HolderBinding, options: BuildOptions = {}): Promise<string> {
    const { signer = this.#signer(content), session, record } = options;
    const { issuer, type, selectiveDisclosure, credentialStatus, x5c } = content;
    const { codec } = this.parts.formats.get(content.format);
    const { credentialData: data, mapping, validityDays, transactionDataTypes, elementTypes } = content;
    const { document, claims } = await applyMapping({ data, mapping, context: this.#context(content, holder) });
    checkContentSize({
      credentialData: document,
      sdJwtCredentialClaims: content.claims,
      credentialStatus,
      mapping: claims,
    });
    return codec.issue(
      {
        type,
        document,
        issuer,
        holder,
        claims: { ...content.claims, ...claims },
        selectiveDisclosure,
        status: credentialStatus ?? (await this.#entry(content, { session, record, credentialId: idIn(document) })),
        validityDays,
        transactionDataTypes,
        elementTypes,
        issuedAt: this.parts.clock.now(),
        kid: keyIdOf(content),
        x5c,
      },
      signer,
    );
  }

  #signer({ issuerKey }: IssuableContent): Signer {
    return signerForOthers(this.parts.keys.signer(issuerKey), CANNOT_SIGN);
  }

  /** An entry of the status list that the content names; one of an earlier attempt is not used again. */
  async #entry(content: IssuableContent, { session: id, ...more }: EntryNames): Promise<unknown> {
    const { statusList, issuer: name, issuerKey: key, x5c } = content;
    if (!statusList) return undefined;
    const { service, issuer, ...list } = statusList;
    const session = service === undefined || id === undefined ? id : `${service}.${id}`;
    const signer = { issuer: name, kid: keyIdOf(content), key, x5c };
    const names = { ...more, session, issuer };
    const [entry] = await this.parts.statusEntries.allocate({ ...list, signer, names }, 1);
    return entry;
  }

  /** A holder whose proof has only a key is named by the did:jwk of that key. */
  #context({ issuer, display }: IssuableContent, { did, jwk }: HolderBinding): DataContext {
    const values: Record<ContextName, () => unknown> = {
      subjectDid: () => did ?? (jwk && didJwk(jwk)),
      issuerDid: () => issuer,
      issuerId: () => issuer,
      display: () => display ?? hasNoDisplay(),
    };
    return {
      now: this.parts.clock.now(),
      uuid: () => this.parts.ids.uuid(),
      lookup: (name) => values[name](),
      fetchText: (url) => this.#fetch(url),
    };
  }

  async #fetch(url: string): Promise<string> {
    const reply = await this.parts.outbound.send({ method: 'GET', url, expects: 'mapping-data' });
    if (reply.status >= 200 && reply.status < 300) return fromUtf8(reply.body);
    throw new DomainError('UpstreamFailed', `A webhook of the mapping answered with ${reply.status}`);
  }
}

/** The key id in a signature: a DID URL, or the key's id in the key set of a URL (`IssuerKeys.published`). */
export const keyIdOf = ({ issuer, issuerKey: { publicJwk } }: Pick<IssuableContent, 'issuer' | 'issuerKey'>): string =>
  issuer.startsWith('did:') ? verificationMethod(issuer, publicJwk) : thumbprint(publicJwk);

/** The id that a credential gives itself. */
const idIn = ({ id, jti }: JsonObject): string | undefined =>
  [id, jti].filter(isText).find(({ length }) => length <= MAX_ID);

const CANNOT_SIGN: SigningFailure = { message: 'The issuer cannot sign now; try again', oauthError: 'server_error' };

function hasNoDisplay(): never {
  throw new DomainError('BadRequest', 'the credential has no display data');
}
