// Types of the part of svgcanvas that the page uses: a canvas context that records an SVG.

declare module "svgcanvas" {
  interface SvgContext extends CanvasRenderingContext2D {
    /** Returns the SVG as text. */
    getSerializedSvg(): string;
  }
  export const Context: new (width: number, height: number) => SvgContext;
}
