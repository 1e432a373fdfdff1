import type { CredentialFormats } from '../../ports/credential-formats.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import type { ContextName, DataContext } from '../credentials/data-functions.ts';
import { applyMapping } from '../credentials/mapping.ts';
import { subjectIds } from '../credentials/token-facts.ts';
import { verificationMethod } from '../dids/did-methods.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { DomainError, oauthError } from '../foundation/errors.ts';
import { isObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import type { Holder } from './holder-proofs.ts';
import type { IssuableContent } from './issuance-session.ts';

/** What making credentials needs. */
export interface CredentialBuilderParts {
  keys: KeyBackends;
  formats: CredentialFormats;
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
}

/** Turns what was offered into a signed credential for its holder: mapping, status, signature. */
export class CredentialBuilder {
  readonly #parts: CredentialBuilderParts;

  constructor(parts: CredentialBuilderParts) {
    this.#parts = parts;
  }

  /** @throws DomainError `BadRequest` when the mapping cannot be applied, `UpstreamFailed`, `UpstreamTimeout` */
  async build(content: IssuableContent, holder: Holder): Promise<string> {
    const { issuerKey, issuerDid, credentialStatus, x5c } = content;
    const format = this.#parts.formats[content.format];
    if (!format) throw new DomainError('BadRequest', `The format ${content.format} is not available`);
    const { credentialData: data, mapping } = content;
    const { document, claims } = await applyMapping({ data, mapping, context: this.#context(content, holder) });
    if (credentialStatus !== undefined) document.credentialStatus = credentialStatus;
    return format.issue(
      {
        document: { ...document, issuer: named(document.issuer, issuerDid) },
        issuer: issuerDid,
        subject: subjectOf(subjectIds(document), holder),
        claims,
        kid: verificationMethod(issuerDid, issuerKey.publicJwk),
        x5c,
      },
      this.#parts.keys.signer(issuerKey),
    );
  }

  #context({ issuerDid, display }: IssuableContent, { did }: Holder): DataContext {
    const values: Record<ContextName, () => unknown> = {
      subjectDid: () => did ?? needsDid(),
      issuerDid: () => issuerDid,
      issuerId: () => issuerDid,
      display: () => display,
    };
    return {
      now: this.#parts.clock.now(),
      uuid: () => this.#parts.ids.uuid(),
      lookup: (name) => values[name](),
      fetchText: (url) => this.#fetch(url),
    };
  }

  async #fetch(url: string): Promise<string> {
    const reply = await this.#parts.outbound.send({ method: 'GET', url, expects: 'mapping-data' });
    if (reply.status >= 200 && reply.status < 300) return fromUtf8(reply.body);
    throw new DomainError('UpstreamFailed', `A webhook of the mapping answered with ${reply.status}`);
  }
}

/** The signer is the issuer, whatever the data says; what else the data says of the issuer stays. */
const named = (issuer: unknown, did: string): unknown => (isObject(issuer) ? { ...issuer, id: did } : did);

/** `sub` is the id of the one subject (VC Data Model 1.1 §6.3.1); the holder when the data names none. */
function subjectOf(ids: string[], holder: Holder): string {
  const [only = holder.did ?? '', ...others] = ids;
  return others.length > 0 ? '' : only;
}

/** The wallet can mend this by another proof. */
function needsDid(): never {
  throw oauthError('invalid_proof', 'proof: this credential names its holder by DID, so the kid must be a DID URL');
}
