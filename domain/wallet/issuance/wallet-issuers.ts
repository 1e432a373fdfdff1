import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField, replacing } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { readAll, update } from '../../foundation/records.ts';
import { isCallableUrl, readHttpUrl } from '../../network/urls.ts';
import type { IssuerDirectory } from './issuer-directory.ts';

/** An issuer that a user added to a wallet. */
export interface WalletIssuer {
  /** The name that the user gave: a DID, a URL or any other text, unique in the wallet. */
  name: string;
  description?: string;
  /** Where the issuer offers credentials to people; '' for unknown. */
  uiEndpoint: string;
  /** The metadata of the issuer (OpenID4VCI), or its identifier; '' for unknown. */
  configurationEndpoint: string;
  /** Whether the user authorized the issuer. */
  authorized: boolean;
}

/** A credential that an issuer offers. */
interface OfferedCredential {
  /** The id of the credential configuration. */
  id: string;
  format: string;
  types: string[];
}

const WALLET_ISSUERS: CollectionSpec<WalletIssuer> = { name: 'wallet-issuers', listed: true, afterRestore: 'kept' };
/** The most issuers of one wallet. */
const MOST = 200;
/** The well-known part of a metadata URL, after the path of the issuer or before it. */
const WELL_KNOWN = '/.well-known/openid-credential-issuer';

/** The issuers that users added to their wallets. */
export class WalletIssuers {
  readonly #records: Collection<WalletIssuer>;

  constructor(
    { store }: { store: Store },
    private readonly directory: IssuerDirectory,
  ) {
    this.#records = store.collection(WALLET_ISSUERS);
  }

  /** In the order in which they were added. */
  async list(owner: string): Promise<WalletIssuer[]> {
    return (await readAll({ collection: this.#records, parent: owner })).map(({ value }) => value);
  }

  /** @throws DomainError `NotFound` */
  async get(owner: string, name: string): Promise<WalletIssuer> {
    const record = await this.#records.get(keyOf(owner, name));
    if (!record) throw noIssuer(name);
    return record.value;
  }

  /** @throws DomainError `BadRequest` naming an address, or for too many issuers, `Conflict` when the wallet has this name */
  async add(owner: string, issuer: Omit<WalletIssuer, 'authorized'>): Promise<void> {
    for (const field of ['uiEndpoint', 'configurationEndpoint'] as const)
      if (issuer[field] !== '') at([field], () => readHttpUrl(issuer[field]));
    const [last] = await this.#records.ids({ parent: owner, order: 'created+', offset: MOST - 1, limit: 1 });
    if (last !== undefined) throw new DomainError('BadRequest', `A wallet may have at most ${MOST} issuers`);
    const record = { ...keyOf(owner, issuer.name), value: { ...issuer, authorized: false } };
    const known = () => new DomainError('Conflict', 'This wallet has this issuer already');
    await this.#records.insert(record).catch(replacing('Conflict', known));
  }

  /** @throws DomainError `NotFound` */
  async authorize(owner: string, name: string): Promise<void> {
    const change = (value: WalletIssuer): WalletIssuer => ({ ...value, authorized: true });
    const changed: Stored<WalletIssuer> | undefined = await update({
      collection: this.#records,
      key: keyOf(owner, name),
      change,
    });
    if (!changed) throw noIssuer(name);
  }

  /**
   * Returns what an issuer offers, as its metadata states now.
   * @throws DomainError `NotFound`, `BadRequest` when its metadata cannot be found, `UpstreamFailed`, `UpstreamTimeout`
   */
  async credentials(owner: string, name: string): Promise<{ issuer: WalletIssuer; credentials: OfferedCredential[] }> {
    const issuer = await this.get(owner, name);
    const metadata = await this.directory.metadata(identifierOf(issuer));
    const all = metadata.credential_configurations_supported;
    const offered = isObject(all) ? Object.entries(all).flatMap(([id, value]) => offeredCredential(id, value)) : [];
    return { issuer, credentials: offered };
  }
}

/** Names are texts of users, so records are identified by their digests. */
const keyOf = (owner: string, name: string) => ({ parent: owner, id: fingerprint(name) });

const noIssuer = (name: string): DomainError =>
  new DomainError('NotFound', `This wallet has no issuer ${name.slice(0, 80)}`);

/** The credential issuer identifier that the user's addresses lead to. */
function identifierOf({ name, configurationEndpoint }: WalletIssuer): string {
  const address = configurationEndpoint === '' ? name : configurationEndpoint;
  if (!isCallableUrl(address))
    throw invalidField([], 'the issuer has no configurationEndpoint, so its metadata is unknown');
  return address.replace(WELL_KNOWN, '').replace(/\/$/, '');
}

function offeredCredential(id: string, configuration: unknown): OfferedCredential[] {
  if (!isObject(configuration) || !isText(configuration.format)) return [];
  return [{ id, format: configuration.format, types: typesOf(configuration) }];
}

/** The types of a configuration: those of W3C credentials, the `vct` of an SD-JWT VC or the `doctype` of an mdoc. */
function typesOf({ credential_definition: definition, types, vct, doctype }: JsonObject): string[] {
  const ofDefinition = isObject(definition) ? definition.type : undefined;
  return asList(ofDefinition ?? types ?? vct ?? doctype).filter(isText);
}
