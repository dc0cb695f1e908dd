extension HTMLReport {
  /// One column, light or dark as the reader's system is; no colour carries a meaning alone.
  static let style = """
    :root{--ground:#fbfbf9;--card:#fff;--ink:#1c1f23;--soft:#5d6570;--line:#dcdfe3;--good:#14693a;--goodground:#e2f3e8;
    --bad:#a5221b;--badground:#fbe5e3;--part:#7d5400;--partground:#fbefd2}
    @media (prefers-color-scheme:dark){:root{--ground:#14171a;--card:#1c2024;--ink:#e6e8ea;--soft:#9ea7b1;--line:#343a41;
    --good:#6fce93;--goodground:#16311f;--bad:#ff8f86;--badground:#3d1a18;--part:#f0c063;--partground:#35290f}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",
    "DejaVu Sans",sans-serif;overflow-wrap:anywhere}
    main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 3rem}
    h1{font-size:1.7rem;line-height:1.25;margin:0 0 .75rem}
    h2{font-size:1.2rem;line-height:1.35;margin:0 0 .25rem}
    h3{font-size:1rem;margin:1.4rem 0 .4rem}
    h4{font-size:.95rem;margin:0 0 .3rem}
    p{margin:.4rem 0}
    ul{list-style:none;margin:.6rem 0 0;padding:0}
    li{margin:.4rem 0}
    .kind{color:var(--soft);font-size:.95rem}
    .verdict{padding:.5rem .9rem;border-left:.3rem solid var(--part);background:var(--partground);border-radius:.2rem}
    .verdict.good{border-color:var(--good);background:var(--goodground)}
    .verdict.failing{border-color:var(--bad);background:var(--badground)}
    section{margin-top:1.5rem}
    .finding{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1.1rem 1.2rem}
    b{display:inline-block;padding:0 .5rem;margin-right:.2rem;border-radius:.7rem;font-size:.85rem;font-weight:600}
    .good{color:var(--good);background:var(--goodground)}
    .bad{color:var(--bad);background:var(--badground)}
    .part{color:var(--part);background:var(--partground)}
    .verdict{color:var(--ink)}
    .pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem;align-items:start}
    figure{margin:0;max-width:22rem}
    img{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:.2rem;background:#fff}
    .empty{margin:0;padding:2.5rem 1rem;border:1px dashed var(--soft);border-radius:.2rem;color:var(--soft);
    text-align:center}
    figcaption{color:var(--soft);font-size:.9rem;margin-top:.3rem}
    pre{font:.875rem/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre-wrap;margin:.4rem 0;
    padding:.6rem .8rem;border:1px solid var(--line);border-radius:.3rem;background:var(--card)}
    details{margin-top:2rem;border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1.2rem}
    summary{cursor:pointer;font-weight:600}
    details section{border-top:1px solid var(--line)}
    .facts{display:grid;grid-template-columns:11rem 1fr;gap:.15rem 1rem;margin:.6rem 0;font-size:.9rem}
    .facts dt{color:var(--soft)}.facts dd{margin:0}
    .problem{margin:.8rem 0;padding-left:.8rem;border-left:.2rem solid var(--line)}
    ol{font-size:.9rem;padding-left:1.4rem}
    @media (max-width:30rem){main{padding:1rem .7rem 2rem}.finding,details{padding:.9rem .8rem}
    .facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.4rem}}
    @media print{body{background:#fff}.finding,figure{break-inside:avoid}}
    """
}
