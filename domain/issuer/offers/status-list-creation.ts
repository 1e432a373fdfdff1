import type { Certificates, ParsedCertificate } from '../../../ports/certificates.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import { readNewStatusList, type StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import type { StatusEntries, StatusListChoice } from '../../credentials/status-entries.ts';
import { base64 } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { readChain } from '../../x509/certificate-chain.ts';
import { type CredentialIssuer, listOwner } from '../credential-issuer.ts';
import type { IssuerDids } from '../onboarding/issuer-dids.ts';
import type { IssuerKeys } from '../onboarding/issuer-keys.ts';
import { issuerUrl } from '../onboarding/issuer-names.ts';
import { keyIdOf } from './credential-builder.ts';

/** A status list to open, with its signer as requests to issue have it. */
interface NewStatusList extends StatusListMember {
  issuerKey: JsonObject;
  issuerDid?: string;
  x5Chain?: string[];
}

/** A list and its signer; `keyName` is how the request names the key. */
interface WantedList {
  member: StatusListMember;
  key(): Promise<KeyReference>;
  keyName: string;
  issuerDid?: string;
  x5Chain?: string[];
}

/** Opens status lists for signers that requests name: the lists that credentials of the same signers have entries of. */
export class StatusListCreation {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      certificates: Certificates;
      issuerDids: IssuerDids;
      issuerKeys: Pick<IssuerKeys, 'publishes'>;
      statusEntries: Pick<StatusEntries, 'open'>;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming the member, as `StatusEntries.open` */
  create(issuer: CredentialIssuer, request: NewStatusList): Promise<{ list: string; isNew: boolean }> {
    const { issuerKey, issuerDid, x5Chain, ...member } = request;
    const key = () => at(['issuerKey'], () => this.parts.keys.read(issuerKey));
    return this.open(issuer, { member, key, keyName: 'issuerKey', issuerDid, x5Chain });
  }

  /** Opens the list of a signer. @throws DomainError as `create` */
  async open(issuer: CredentialIssuer, request: WantedList): Promise<{ list: string; isNew: boolean }> {
    const { certificates, statusEntries } = this.parts;
    const { keyName, issuerDid, x5Chain } = request;
    const choice = readNewStatusList(request.member);
    checkSigner(choice, request);
    const key = await request.key();
    const { publicJwk: jwk } = key;
    const chain = x5Chain && at(['x5Chain'], () => readChain(x5Chain, { certificates, jwk, keyName }));
    const name = issuerDid ?? (await this.#urlOf(issuer, { choice, key, leaf: chain?.[0] }));
    if (issuerDid !== undefined)
      await this.parts.issuerDids.check(issuer, [{ did: issuerDid, jwk, path: ['issuerDid'] }]);
    const kid = keyIdOf({ issuer: name, issuerKey: key });
    const signer = { issuer: name, kid, key, x5c: chain?.map(({ der }) => base64(der)) };
    return statusEntries.open({ ...listOwner(issuer), choice, signer });
  }

  /** The URL that credentials without a DID are issued under. */
  async #urlOf(issuer: CredentialIssuer, { choice, key, leaf }: Unnamed): Promise<string> {
    if (choice.kind === 'TokenStatusListCwt') return issuer.identifier;
    return issuerUrl(issuer, { jwk: key.publicJwk, leaf }, this.parts.issuerKeys);
  }
}

/** A signer without a DID. */
interface Unnamed {
  choice: StatusListChoice;
  key: KeyReference;
  leaf: ParsedCertificate | undefined;
}

/** A list is signed as its credentials are: those of the W3C under a DID, an mdoc under a certificate. */
function checkSigner(
  { kind }: StatusListChoice,
  { issuerDid, x5Chain }: Pick<WantedList, 'issuerDid' | 'x5Chain'>,
): void {
  const isToken = kind === 'TokenStatusListJwt' || kind === 'TokenStatusListCwt';
  if (!isToken && issuerDid === undefined) throw invalidField(['issuerDid'], `is required for a list ${kind}`);
  if (kind === 'TokenStatusListCwt' && !x5Chain) throw invalidField(['x5Chain'], 'is required for a list as CWT');
}
