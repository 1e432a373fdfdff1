import { Container, ContainerModule } from 'inversify';
import type { IssuerServices } from '../../../adapters/http/handlers/issuer.ts';
import { type Platform, PlatformT, platformModule } from '../../../composition/platform/platform.ts';
import { storeModule } from '../../../composition/platform/stores.ts';
import { systemModule } from '../../../composition/platform/system.ts';
import { issuerServices } from '../../../composition/services/issuer.ts';
import { v1Issuer } from '../../../composition/services/issuers.ts';
import { OPENID4VCI } from '../../../domain/credentials/openid4vci.ts';
import type { OfferRequest } from '../../../domain/issuer/offers/offers.ts';
import { createOffer } from '../../../domain/issuer/openid4vci/draft13.ts';
import { createOfferUrl } from '../../../domain/issuer/openid4vci/v1.ts';
import type { TestServer } from '../servers/server.ts';
import { silentLog } from '../servers/silent-log.ts';

/** An offer of OpenID4VCI 1.0. */
export interface WrittenOffer {
  /** The name of the offer, which is not that of its session. */
  id: string;
  /** The pre-authorized code; '' for an offer of another grant. */
  code: string;
  url: string;
  txCodeValue?: string;
}

/** Creates offers of OpenID4VCI 1.0 on the store of a server, as another instance does. */
export class OfferWriter {
  readonly #platform: Platform;
  readonly #services: IssuerServices;

  private constructor(platform: Platform) {
    this.#platform = platform;
    this.#services = issuerServices(platform);
  }

  static async open({ settings, clock }: Pick<TestServer, 'settings' | 'clock'>): Promise<OfferWriter> {
    const container = new Container();
    const modules = [
      await storeModule(settings),
      systemModule(settings, { log: silentLog, clock }),
      platformModule({}),
    ];
    for (const load of modules) container.load(new ContainerModule(load));
    return new OfferWriter(container.get<Platform>(PlatformT.id));
  }

  async offer(request: Record<string, unknown>): Promise<WrittenOffer> {
    const issuer = v1Issuer(this.#platform);
    const { reference: id, txCodeValue } = await this.#services.offers.create(
      issuer,
      request as unknown as OfferRequest,
    );
    const { grants } = await this.#services.offers.get(issuer, id, createOffer);
    const code = grants[OPENID4VCI.PRE_AUTHORIZED]?.['pre-authorized_code'] ?? '';
    return { id, code, url: createOfferUrl(issuer, id), txCodeValue };
  }

  close(): Promise<void> {
    return this.#platform.store.close();
  }
}
