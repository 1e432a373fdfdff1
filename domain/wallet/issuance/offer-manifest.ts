import { createManifest, type Manifest } from '../manifest.ts';
import { readDisplay } from './credential-display.ts';
import type { EmbeddedImages } from './embedded-images.ts';
import { configurationOf, type IssuerDirectory } from './issuer-directory.ts';
import type { OfferRedemption } from './offer-redemption.ts';

/** The manifests of credentials that are only offered. */
export class OfferManifests {
  constructor(
    private readonly parts: {
      offers: OfferRedemption;
      issuers: IssuerDirectory;
      images: EmbeddedImages;
    },
  ) {}

  /**
   * The manifest of the first offered credential that the issuer describes; undefined when it describes none.
   * @throws DomainError `BadRequest`, `AddressRefused`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async extract(walletId: string, link: string): Promise<Manifest | undefined> {
    const { offers, issuers, images } = this.parts;
    const { issuer, configurationIds } = await offers.resolve(walletId, link);
    const metadata = await issuers.metadata(issuer);
    const read = configurationIds.map((id) => readDisplay(metadata, configurationOf(metadata, id)));
    const [display] = await images.embed([read.find((one) => one !== undefined)]);
    return display && createManifest(display, issuer);
  }
}
