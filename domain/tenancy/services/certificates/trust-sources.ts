import type { Certificates } from '../../../../ports/certificates.ts';
import type { Outbound } from '../../../../ports/outbound.ts';
import type { Collection, Store } from '../../../../ports/store.ts';
import type { Clock } from '../../../../ports/system.ts';
import { base64 } from '../../../foundation/bytes.ts';
import { at, DomainError, ignoring, invalidField, isDomainError } from '../../../foundation/errors.ts';
import type { FieldPath } from '../../../foundation/field-paths.ts';
import { removeAll, update } from '../../../foundation/records.ts';
import { isoMillis } from '../../../foundation/time.ts';
import { checkDestination, readHttpUrl } from '../../../network/urls.ts';
import { type ListedAnchor, listViolation, type TrustedList } from '../../../trust/list-anchors.ts';
import { issuingAnchors } from '../../../trust/listed-services.ts';
import type { TrustAnchor } from '../../../trust/trust-anchors.ts';
import { isListUrl } from '../../../trust/trust-list-source.ts';
import type { BelievedList, TrustLists } from '../../../trust/trust-lists.ts';
import { segmentsOf, type Target } from '../../access/targets.ts';
import type { TrustedIssuerContent } from '../../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../../tree/resource-repository.ts';
import { ownerOf, type TenantServices } from '../tenant-services.ts';
import { anchorsOfEntries, registryEntries } from './registry-entries.ts';

const TYPE = 'trust-registry';
/** The most sources of a registry. */
const MOST_SOURCES = 20;

/** A list of a source, as it was when it was loaded. */
interface LoadedFacts {
  loadedAt: number;
  issuedAt: number;
  nextUpdate?: number;
  /** The type that the list says it is of, as a URI. */
  listType?: string;
  entities: number;
  services: number;
  identities: number;
}

/** A list of trusted entities that a registry believes. */
interface TrustSource extends LoadedFacts {
  displayName?: string;
  /** Where an inline list is from; only shown. */
  sourceUrl?: string;
  /** The URL of the list, or the list itself. */
  source: string;
  isInline: boolean;
  isUnsigned: boolean;
  /** PEM, or DER in base64. */
  signers: string[];
}

/** A source as callers write it. */
interface WrittenSource {
  sourceId: string;
  displayName?: string;
  url?: string;
  content?: string;
  sourceUrl?: string;
  acceptancePolicy?: 'REQUIRE_TRUSTED_SIGNER' | 'REQUIRE_AUTHENTICATED' | 'REQUIRE_VALID_SIGNATURE' | 'ALLOW_UNSIGNED';
  signers?: string[];
}

/** A place of one source. */
interface SourcePlace {
  target: Target;
  sourceId: string;
}

/** What is asked of the sources of a registry: whether an issuer with these certificates, leaf first, is listed. */
interface TrustQuestion {
  chain: readonly { text: string; path: FieldPath }[];
  expectedEntityType?: string;
  expectedServiceType?: string;
}

/**
 * The lists of trusted entities of trust registries (ETSI TS 119 612, TS 119 602). A list counts with a valid signature by a
 * signer that the source names, or the operator; without one only if it was given inline and said to be so.
 */
export class TrustSources {
  readonly #sources: Collection<TrustSource>;

  constructor(
    private readonly parts: {
      store: Store;
      repository: ResourceRepository;
      certificates: Certificates;
      services: TenantServices;
      trustLists: TrustLists;
      outbound: Outbound;
      clock: Clock;
    },
  ) {
    this.#sources = parts.store.collection({
      name: 'trust-sources',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /**
   * Reads a list and keeps it as a source.
   * @throws DomainError `BadRequest` naming the member, also when the list is not signed as it must be; `NotFound`,
   * `Conflict` for a name that is taken or too many sources, as `Outbound.send`
   */
  async load(target: Target, written: WrittenSource) {
    const owner = await this.#ownerAt(target);
    const source = this.#read(written);
    const place = source.isInline ? 'content' : 'url';
    const facts = this.#factsOf(await at([place], () => this.parts.trustLists.read(believed(target, source))));
    const { sourceId } = written;
    await this.#sources.insert({ parent: owner, id: sourceId, value: { ...source, ...facts } });
    // Of many at once those that find too many take themselves back.
    if ((await this.#all(owner)).length > MOST_SOURCES) {
      await this.#sources.remove({ parent: owner, id: sourceId });
      throw new DomainError('Conflict', `A trust registry has at most ${MOST_SOURCES} sources`);
    }
    return shownLoad(sourceId, facts);
  }

  /** The sources of a registry, as they were loaded. @throws DomainError `NotFound` */
  async list(target: Target) {
    const sources = await this.#all(await this.#ownerAt(target));
    return sources.map(({ id, value }) => this.#shown(id, value));
  }

  /**
   * Reads the list of a source anew. What it was before stays when that fails.
   * @throws DomainError `BadRequest` when the list is not signed as it must be, `NotFound`, as `Outbound.send`
   */
  async refresh({ target, sourceId }: SourcePlace) {
    const owner = await this.#ownerAt(target);
    const { value: source } = await this.#source(owner, sourceId);
    const facts = this.#factsOf(await this.parts.trustLists.refreshed(believed(target, source)));
    const change = (before: TrustSource) => ({ ...before, ...facts });
    if (!(await update({ collection: this.#sources, key: { parent: owner, id: sourceId }, change })))
      throw noSource(sourceId);
    return shownLoad(sourceId, facts);
  }

  /** Whether a source counts now. @throws DomainError `NotFound` */
  async health({ target, sourceId }: SourcePlace) {
    const { value: source } = await this.#source(await this.#ownerAt(target), sourceId);
    const list = await this.#usable(believed(target, source));
    const shown = this.#shown(sourceId, source);
    return typeof list === 'string' ? { ...shown, healthy: false, error: list } : { ...shown, healthy: true };
  }

  /** Removes a source. @throws DomainError `NotFound` */
  async remove({ target, sourceId }: SourcePlace): Promise<void> {
    const key = { parent: await this.#ownerAt(target), id: sourceId };
    if (!(await this.#sources.remove(key))) throw noSource(sourceId);
  }

  /**
   * Whether an entry of the registry names the issuer, or a list has it. Entries are of no type of list and no kind of service.
   * @throws DomainError `BadRequest` naming a certificate, `NotFound`
   */
  async resolve(target: Target, { chain: texts, expectedEntityType, expectedServiceType }: TrustQuestion) {
    const sources = await this.#all(await this.#ownerAt(target));
    const chain = texts.map(({ text, path }) => this.#der(text, path));
    const now = this.parts.clock.now();
    const wanted = { now, entityType: expectedEntityType, serviceType: expectedServiceType };
    const reasons: string[] = [];
    const isOfList = expectedEntityType !== undefined || expectedServiceType !== undefined;
    const entries = isOfList ? [] : await this.#entries(target, reasons);
    const named = this.#matching(chain, anchorsOfEntries(entries, this.parts));
    if (typeof named !== 'string') return { decision: 'TRUSTED' as const, ...factsOfEntry(named.entry) };
    let reason = 'No entry or source names such an issuer';
    for (const { id: sourceId, value: source } of sources) {
      const list = await this.#usable(believed(target, source));
      const anchors = typeof list === 'string' ? undefined : issuingAnchors(list, wanted);
      if (typeof list === 'string') reasons.push(`${sourceId}: ${list}`);
      else if (anchors) {
        const found = this.#matching(chain, anchors);
        if (typeof found !== 'string')
          return { decision: 'TRUSTED' as const, sourceId, ...factsOfAnchor(found), ...assuranceOf(source) };
        if (anchors.length > 0) reason = `No entry or source names the issuer: ${found}`;
      }
    }
    // What a list says that cannot be read is not known.
    if (reasons.length > 0) return { decision: 'UNDETERMINED' as const, reason: reasons.join('; ').slice(0, 2000) };
    return { decision: 'NOT_TRUSTED' as const, reason };
  }

  /** The lists of a registry; a service of another type has none. */
  async believed(target: Target): Promise<BelievedList[]> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    const sources = found ? await this.#all(ownerOf({ target, uid: found.uid })) : [];
    return sources.map(({ id, value }) => believed(target, value, id));
  }

  /** Removes the sources of a registry. */
  async removeOwnData(target: Target): Promise<void> {
    const found = await this.parts.services.found(target, TYPE).catch(ignoring('NotFound'));
    if (found) await removeAll({ collection: this.#sources, parent: ownerOf({ target, uid: found.uid }) });
  }

  async #ownerAt(target: Target): Promise<string> {
    const { uid } = await this.parts.services.found(target, TYPE);
    return ownerOf({ target, uid });
  }

  async #source(parent: string, id: string) {
    const found = await this.#sources.get({ parent, id });
    if (!found) throw noSource(id);
    return found;
  }

  #all(parent: string) {
    return this.#sources.list({ parent, order: 'id', offset: 0, limit: MOST_SOURCES + 1 });
  }

  #read({
    url,
    content,
    acceptancePolicy,
    signers = [],
    ...shown
  }: WrittenSource): Omit<TrustSource, keyof LoadedFacts> {
    const { sourceId: _, ...facts } = shown;
    const isInline = content !== undefined;
    if (isInline === (url !== undefined)) throw invalidField(['url'], 'is required, or content in its place');
    if (content !== undefined && isListUrl(content)) throw invalidField(['content'], 'is a URL: name it as url');
    const isUnsigned = acceptancePolicy === 'ALLOW_UNSIGNED';
    if (isUnsigned && !isInline)
      throw invalidField(['acceptancePolicy'], 'ALLOW_UNSIGNED is for content only: what is fetched must be signed');
    const source = content ?? at(['url'], () => readHttpUrl(url ?? ''));
    if (!isInline) at(['url'], () => checkDestination(this.parts.outbound, { url: source, expects: 'trust-list' }));
    at(['signers'], () => this.parts.trustLists.signers(signers));
    const read = { ...facts, source, isInline, isUnsigned, signers };
    if (!isUnsigned && !this.parts.trustLists.hasSigners({ kind: 'etsi', ...read }))
      throw invalidField(['signers'], 'is required: who may sign the list is not configured');
    return read;
  }

  /** The entries of a registry; too many are none, and a reason. */
  async #entries(target: Target, reasons: string[]): Promise<TreeResource<TrustedIssuerContent>[]> {
    try {
      return await registryEntries(this.parts, target);
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      reasons.push(error.message);
      return [];
    }
  }

  /** The authority that a chain is or ends at, or why there is none. */
  #matching<A extends TrustAnchor>(chain: readonly Uint8Array[], anchors: readonly A[]): A | string {
    const { trustLists, clock } = this.parts;
    const now = clock.now();
    const itself = anchors.find(isItself(chain, now));
    if (itself) return itself;
    const decision = trustLists.decide({ chain, anchors, purpose: 'listed', now });
    if (!decision.trusted) return decision.reason;
    return anchors.find((one) => one === decision.anchor) ?? 'its authority is not listed';
  }

  #der(text: string, path: FieldPath): Uint8Array {
    const [certificate] = at({ 0: path }, () => this.parts.trustLists.signers([text]));
    if (!certificate) throw invalidField(path, 'is not an X.509 certificate');
    return certificate.der;
  }

  #usable(list: BelievedList): Promise<TrustedList | string> {
    return this.parts.trustLists.usableOrWhyNot(list, this.parts.clock.now());
  }

  #factsOf(list: TrustedList): LoadedFacts {
    const { type, issuedAt, nextUpdate, anchors } = list;
    const services = new Set(anchors.map(({ entity, serviceType }) => `${entity} ${serviceType}`));
    return {
      loadedAt: this.parts.clock.now(),
      issuedAt,
      ...(nextUpdate !== undefined && { nextUpdate }),
      ...(type !== undefined && { listType: type }),
      entities: new Set(anchors.map(({ entity }) => entity)).size,
      services: services.size,
      identities: anchors.length,
    };
  }

  #shown(sourceId: string, source: TrustSource) {
    const { displayName, sourceUrl, isInline, listType, loadedAt, issuedAt, nextUpdate } = source;
    const violation = listViolation({ issuedAt, nextUpdate }, this.parts.clock.now());
    const url = isInline ? sourceUrl : source.source;
    return {
      sourceId,
      ...(displayName !== undefined && { displayName }),
      sourceFamily: familyOf(listType),
      ...(listType !== undefined && { listType }),
      ...(url !== undefined && { url }),
      freshnessState: FRESHNESS[violation ?? 'fresh'],
      loadedDateTime: isoMillis(loadedAt),
      ...(nextUpdate !== undefined && { nextUpdate: isoMillis(nextUpdate) }),
      entitiesCount: source.entities,
      ...assuranceOf(source),
    };
  }
}

const familyOf = (listType = '') =>
  listType.startsWith('http://uri.etsi.org/TrstSvc/') ? ('ETSI_TS_119_612' as const) : ('ETSI_TS_119_602' as const);

const FRESHNESS = { fresh: 'FRESH', stale: 'STALE', early: 'NOT_YET_VALID' } as const;

/** A source as the list that it is, which is kept in the share of the organization of its registry. */
function believed(
  target: Target,
  { source, signers, isUnsigned }: Pick<TrustSource, 'source' | 'isUnsigned' | 'signers'>,
  sourceId?: string,
): BelievedList {
  const [owner = ''] = segmentsOf(target);
  return { kind: 'etsi', source, signers, isUnsigned, owner, ...(sourceId !== undefined && { sourceId }) };
}

const assuranceOf = ({ isUnsigned }: Pick<TrustSource, 'isUnsigned'>) => ({
  assurance: { authenticityState: isUnsigned ? ('UNSIGNED' as const) : ('VERIFIED' as const), accepted: true },
});

/** Whether a listed certificate is the first of a chain, and valid. */
const isItself =
  ([leaf]: readonly Uint8Array[], now: number) =>
  ({ certificate: { der, notBefore, notAfter } }: TrustAnchor): boolean =>
    leaf !== undefined && base64(der) === base64(leaf) && notBefore <= now && now <= notAfter;

const factsOfEntry = ({ _id, credentialTypes }: TreeResource<TrustedIssuerContent>) => ({
  trustedIssuer: _id,
  ...(credentialTypes && { credentialTypes }),
});

const factsOfAnchor = (anchor: ListedAnchor) => ({
  ...(anchor.serviceType !== undefined && { serviceType: anchor.serviceType }),
  ...(anchor.status !== undefined && { status: anchor.status }),
});

const shownLoad = (sourceId: string, { entities, services, identities }: LoadedFacts) => ({
  success: true,
  sourceId,
  entitiesLoaded: entities,
  servicesLoaded: services,
  identitiesLoaded: identities,
});

const noSource = (sourceId: string): DomainError =>
  new DomainError('NotFound', `The trust registry has no source ${sourceId}`);
