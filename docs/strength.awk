# Draws docs/strength.svg from the ratings in docs/experiments.tsv:
#   awk -f docs/strength.awk docs/experiments.tsv > docs/strength.svg

BEGIN {
    FS = "\t"
    count = split("version 0.1,search,value,prior,rollouts,blend,deep,layer,history,time,refit", names, ",")
    for (i = 1; i <= count; i++) column[names[i]] = i
    last = 5; legend_x = 540
    width = 860; height = 400; left = 56; right = 16; top = 48; bottom = 44
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " width " " height "\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    text(width / 2, 24, "middle", "#222", "Elo above version 0.1, 10x10 board, 0.1 s per move, one thread", 15)
    for (elo = -100; elo <= 600; elo += 100) {
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", left, width - right, y(elo), y(elo), elo ? "#e4e4e4" : "#999"
        text(left - 8, y(elo) + 4, "end", "#222", elo, 13)
    }
    for (i = 1; i <= count; i++) text(x(i), height - 16, "middle", "#222", names[i], 13)
}

$3 == "rating" {
    split($4, topic, " "); split($5, change, ":")
    if (change[1] in column) point(topic[2], column[change[1]], $10, $11, $12)
}

END {
    print "<polyline points=\"" path "\" fill=\"none\" stroke=\"#1f5f9f\" stroke-width=\"2\"/>"
    legend(y(130), "#1f5f9f", "#1f5f9f", "fifth round-robin, 140 games per version")
    legend(y(85), "#fff", "#8a8a8a", "first to fourth, 80 to 84 games per version")
    text(legend_x - 5, y(40), "start", "#222", "Bars: 95 % interval", 13)
    print "</svg>"
}

function x(i) { return left + (i - 0.5) * (width - left - right) / count }
function y(elo) { return top + (640 - elo) * (height - top - bottom) / 760 }

function text(px, py, anchor, fill, string, size) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" font-size=\"%d\">%s</text>\n", px, py, anchor, fill, size, string
}

function point(robin, i, elo, low, high,    px, current) {
    current = robin == last
    px = x(i) + (robin - 3) * 7
    printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"/>\n", px, px, y(low), y(high), current ? "#8db7e0" : "#d0d0d0"
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" stroke=\"%s\"/>\n", px, y(elo), current ? "#1f5f9f" : "#fff", current ? "#1f5f9f" : "#8a8a8a"
    if (!current) return
    text(px, y(high) - 6, "middle", "#1f5f9f", elo, 13)
    path = path sprintf("%.1f,%.1f ", px, y(elo))
}

function legend(py, fill, stroke, string) {
    printf "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\" stroke=\"%s\"/>\n", legend_x, py - 4, fill, stroke
    text(legend_x + 12, py, "start", "#222", string, 13)
}
