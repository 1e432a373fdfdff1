import type { Certificates } from '../../../../ports/certificates.ts';
import type { VicalContent, VicalWriter } from '../../../../ports/codecs/trust-lists.ts';
import { DOCUMENTS } from '../../../../ports/documents.ts';
import type { KeyReference } from '../../../../ports/key-service.ts';
import type { Clock } from '../../../../ports/system.ts';
import { base64, fromBase64 } from '../../../foundation/bytes.ts';
import { asConflict, at, DomainError, invalidField } from '../../../foundation/errors.ts';
import { floorToSeconds, isoSeconds, parseIso } from '../../../foundation/time.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import { readChain } from '../../../x509/certificate-chain.ts';
import { derOfPem } from '../../../x509/pem.ts';
import { CERTIFIED_KEY_TYPES } from '../../../x509/signer-profiles.ts';
import { nothingAt, parentOf, type Target } from '../../access/targets.ts';
import { RESOURCE_KINDS, type VicalVersionContent } from '../../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../../tree/resource-repository.ts';
import { SERVICE_TYPES } from '../../tree/service-types.ts';
import { versionAt, versionPath } from '../../tree/vical-versions.ts';
import { type ChildRequest, createChild, type ServiceParts } from '../child-creation.ts';
import { dependencyCertificate, dependencyKey } from '../dependency-keys.ts';
import type { ServiceDraft } from '../service-configurations.ts';
import { allChildren } from '../stored-children.ts';
import type { TenantServices } from '../tenant-services.ts';

const { children } = SERVICE_TYPES['vical-service'];

/** The largest VICAL, which is the largest that is read. */
const MAX_BYTES = DOCUMENTS['trust-list'].maxBytes;

/** The configuration of a service of the type `vical-service`. */
interface VicalConfiguration {
  /** The target of the key that signs. */
  kid: Target;
  /** PEM, the certificate of the key first. */
  x5Chain?: string[];
  /** The target of the certificate of the key in a store, in place of `x5Chain`. */
  signerCertificateId?: Target;
}

/** A version to publish; dates in ISO 8601. */
interface NewVicalVersion {
  vicalProvider: string;
  versionId?: string;
  issuanceDate?: string;
  nextUpdate?: string;
}

/** VICAL services: services of the type `vical-service`, which publish versions of a list of issuing authorities (ISO 18013-5 Annex C). */
export class VicalServices {
  constructor(
    private readonly parts: ServiceParts & {
      services: TenantServices;
      repository: ResourceRepository;
      keys: KeyBackends;
      certificates: Certificates;
      writer: VicalWriter;
      clock: Clock;
    },
  ) {}

  /** Checks that a service can sign as it is configured. @throws DomainError `BadRequest` naming the member, `Conflict` */
  async check(draft: Pick<ServiceDraft, 'target' | 'config' | 'dependencies'>): Promise<void> {
    await this.#signer(draft);
  }

  /**
   * Signs and stores a version: the certificates of the type `vical-entry` of the store that the service depends on.
   * @throws DomainError `BadRequest` naming the member, `Forbidden`, `NotFound`, `Conflict`, as `Signer.sign`
   */
  publish(request: ChildRequest, wanted: NewVicalVersion): Promise<TreeResource<VicalVersionContent>> {
    const { ids, tree, writer, keys, clock } = this.parts;
    const defaultName = () => wanted.versionId ?? ids.uuid();
    const create = async (target: Target): Promise<TreeResource<VicalVersionContent>> => {
      if (await tree.exists(children.kind, target)) throw new DomainError('Conflict', `${target} exists already`);
      const dates = readDates(wanted, clock.now());
      const service = await this.parts.services.at(parentOf(target), 'vical-service');
      const { key, chain } = await this.#signer(service).catch(asConflict);
      const entries = await this.#entries(await this.parts.services.dependency(service, 'x509-store'));
      const content = { provider: wanted.vicalProvider, issueId: clock.now(), ...dates, entries, chain };
      const vical = await writer.write(content, keys.signer(key));
      if (vical.length > MAX_BYTES)
        throw new DomainError('Conflict', `The VICAL would have more than ${MAX_BYTES} bytes: divide the store`);
      const { issuedAt, nextUpdate } = dates;
      return tree.add(children.kind, target, {
        content: {
          vicalProvider: wanted.vicalProvider,
          versionIdPath: versionPath(target),
          issuanceDate: isoSeconds(issuedAt),
          ...(nextUpdate !== undefined && { nextUpdate: isoSeconds(nextUpdate) }),
          entryCount: entries.length,
        },
        secret: { vical: base64(vical) },
      });
    };
    return createChild(this.parts, { ...request, children, defaultName, create });
  }

  /** The latest version of a service, or the version at a path. @throws DomainError `NotFound` */
  async vical(target: Target): Promise<Uint8Array> {
    const { tree, repository } = this.parts;
    const version = (await latest(repository, target)) ?? versionAt(target);
    if (version === undefined) throw nothingAt(target);
    const { vical } = await tree.secret(children.kind, version);
    return fromBase64(vical) ?? new Uint8Array();
  }

  async #signer({ target, config, dependencies }: Pick<ServiceDraft, 'target' | 'config' | 'dependencies'>): Promise<{
    key: KeyReference;
    chain: Uint8Array[];
  }> {
    const { tree, certificates } = this.parts;
    const { kid, x5Chain, signerCertificateId = '' } = config as unknown as VicalConfiguration;
    const service = { target, dependencies };
    const key = await at(['kid'], () => dependencyKey(tree, service, kid));
    if (!CERTIFIED_KEY_TYPES.includes(key.keyType))
      throw invalidField(['kid'], `must be of one of the types ${CERTIFIED_KEY_TYPES.join(', ')}`);
    const options = { certificates, jwk: key.publicJwk, keyName: 'kid' };
    const place = [x5Chain ? 'x5Chain' : 'signerCertificateId'];
    const stored = async () => [await dependencyCertificate(tree, service, signerCertificateId)];
    const pems = x5Chain ?? (await at(place, stored));
    const chain = at(place, () => readChain(pems, options));
    return { key, chain: chain.map(({ der }) => der) };
  }

  async #entries(store: Target): Promise<VicalContent['entries']> {
    const { repository, certificates } = this.parts;
    const stored = await allChildren(repository, RESOURCE_KINDS.certificates, store);
    return stored.flatMap(({ data: { type, pem, complementaryMetadata } }) => {
      const der = derOfPem(pem);
      if (type !== 'vical-entry' || !der) return [];
      return { certificate: certificates.parse(der), docTypes: complementaryMetadata?.docType ?? [] };
    });
  }
}

async function latest(repository: ResourceRepository, parent: Target): Promise<Target | undefined> {
  const query = { parent, order: 'created-', offset: 0, limit: 1, hidden: new Set<string>() } as const;
  const [version] = await repository.page(children.kind, query);
  return version?._id;
}

/** In whole seconds. */
function readDates(
  { issuanceDate, nextUpdate }: NewVicalVersion,
  now: number,
): { issuedAt: number; nextUpdate?: number } {
  const issuedAt = readDate('issuanceDate', issuanceDate) ?? floorToSeconds(now);
  if (issuedAt > now) throw invalidField(['issuanceDate'], 'is in the future');
  const next = readDate('nextUpdate', nextUpdate);
  if (next !== undefined && next <= Math.max(issuedAt, now))
    throw invalidField(['nextUpdate'], 'must be in the future, and after issuanceDate');
  return { issuedAt, nextUpdate: next };
}

function readDate(member: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseIso(text);
  if (ms === undefined) throw invalidField([member], 'must be an ISO 8601 date or date-time with a zone');
  return floorToSeconds(ms);
}
